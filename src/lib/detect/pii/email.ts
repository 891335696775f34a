import { type Detector, MAX_MATCHES, type Match } from '../match.ts';
import { classOf, DIGIT, LETTER } from '../text/characters.ts';

/** From the start of an address. Each part is bounded, so that a text of nothing else takes linear time. */
const ADDRESS =
  /(?:[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-]{0,63}|"[^"\n@]{1,62}")@((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}[\p{L}\p{N}-]{0,61}\p{L})(?![\p{L}\p{N}-]|@)/uy;
const LOCAL = /[\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-]/u;
const MAX_LOCAL = 64;
/** What a spelled out address has in its middle. */
const AT_WORD = /[([{<] ?at ?[)\]}>]/gi;
/** As people write it to hide it from programs: `jane [at] example [dot] com`. */
const SPELLED =
  /(?<![\w.-])[a-z0-9][\w.+-]{0,40} ?[([{<] ?at ?[)\]}>] ?[a-z0-9-]{1,40}(?: ?[([{<] ?dot ?[)\]}>] ?[a-z0-9-]{1,30}|\.[a-z0-9-]{2,30}){1,3}(?![a-z0-9-])/iy;
/** Most characters of a spelled out address before that. */
const MAX_SPELLED = 42;

/** Endings of file names and of packages, which look like domains: `icon@2x.png`, `git@1.2.js`. */
const NOT_A_DOMAIN =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|scss|jsx?|tsx?|mjs|json|ya?ml|html?|md|lock|map|zip|gz|local|localhost|internal|invalid)$/i;
const SCALE = /@\d+(?:\.\d+)?x\./i;

/** E-mail addresses, also of international domains and spelled out. */
export const email: Detector = {
  type: 'email',
  scan(text) {
    return [...addressesOf(text), ...spelledOut(text)];
  },
};

/** Looks before each `[at]`, since most texts have none. */
function spelledOut(text: string): Match[] {
  const matches: Match[] = [];
  let last = 0;
  AT_WORD.lastIndex = 0;
  for (let word = AT_WORD.exec(text); word !== null; word = AT_WORD.exec(text)) {
    for (let start = Math.max(last, word.index - MAX_SPELLED); start < word.index; start++) {
      if ((classOf(text.charCodeAt(start)) & (DIGIT | LETTER)) === 0) continue;
      SPELLED.lastIndex = start;
      if (!SPELLED.test(text)) continue;
      last = SPELLED.lastIndex;
      matches.push({ type: 'email', start, end: last, confidence: 0.85 });
      break;
    }
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

/** Looks at each `@`, since most texts have few of them. */
function addressesOf(text: string): Match[] {
  const matches: Match[] = [];
  let last = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', Math.max(at + 1, last))) {
    const start = startOf(text, at, last);
    if (start === -1) continue;
    ADDRESS.lastIndex = start;
    const found = ADDRESS.exec(text);
    if (found === null) continue;
    last = ADDRESS.lastIndex;
    const match = toMatch(text, found);
    if (match !== null) matches.push(match);
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

/** Where the mailbox before an `@` begins, after the address before it; -1: there is none. */
function startOf(text: string, at: number, from: number): number {
  const isQuoted = text.charCodeAt(at - 1) === QUOTE;
  let start = isQuoted ? Math.max(text.lastIndexOf('"', at - 2), at - MAX_LOCAL) : at;
  while (start > 0 && at - start <= MAX_LOCAL * 2) {
    const width = isLowHalf(text.charCodeAt(start - 1)) ? 2 : 1;
    if (!isLocal(text, start - width)) break;
    // A quoted mailbox stands alone.
    if (isQuoted) return -1;
    start -= width;
  }
  return start === at || start < from ? -1 : start;
}

const QUOTE = 34;
const isLowHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const IS_LOCAL = Uint8Array.from({ length: 128 }, (_, code) => Number(LOCAL.test(String.fromCharCode(code))));

const isLocal = (text: string, at: number): boolean => {
  const code = text.codePointAt(at) ?? 0;
  return code < 128 ? IS_LOCAL[code] === 1 : LOCAL.test(String.fromCodePoint(code));
};

function toMatch(text: string, { 0: all, 1: domain = '', index }: RegExpExecArray): Match | null {
  const local = all.slice(0, all.length - domain.length - 1);
  if (SCALE.test(all) || NOT_A_DOMAIN.test(domain)) return null;
  if (local.endsWith('.') || local.includes('..')) return null;
  // The user of an address such as https://user@host/ or git@host:path is no mailbox.
  if (text.slice(Math.max(0, index - 3), index) === '://') return null;
  if (/^(?:git|hg|svn)$/i.test(local) && /^[:/]/.test(text.slice(index + all.length))) return null;
  // Quotes and slashes before the address belong to the text around it.
  // Chinese and Japanese put no space before an address.
  const lead = /^(?:['`*_{|=/?#&!$%^~]+|\P{ASCII}+(?=[\w]))/u.exec(local)?.[0].length ?? 0;
  if (lead === local.length) return null;
  return { type: 'email', start: index + lead, end: index + all.length, confidence: 0.97 };
}
