import { type Detector, matchAt, matchesOf } from '../match.ts';

const ETHEREUM = /(?<![\w])0x[0-9a-fA-F]{40}(?![\w])/g;
const BITCOIN = /(?<![\w])(?:bc1[ac-hj-np-z02-9]{25,71}|[13][a-km-zA-HJ-NP-Z1-9]{25,34})(?![\w])/g;
const WORD = /bitcoin|btc|wallet|address|send|pay|donat/i;

/** Addresses of wallets. Old ones of Bitcoin look like any other text in base 58, so a word must name them. */
export const cryptoWallet: Detector = {
  type: 'crypto_wallet',
  scan: (text) => [
    ...matchesOf(text, ETHEREUM, (found) => matchAt(found, 'crypto_wallet', 0.9)),
    ...matchesOf(text, BITCOIN, (found) =>
      found[0].startsWith('bc1') || WORD.test(text.slice(Math.max(0, found.index - 40), found.index))
        ? matchAt(found, 'crypto_wallet', 0.85)
        : null,
    ),
  ],
};
