import { type Detector, type Match, matchesOf } from '../match.ts';

/** Around an `@`: each side is bounded, so that a text of nothing else takes linear time. */
const CANDIDATE =
  /(?<![\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-])(?:[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-]{0,63}|"[^"\n@]{1,62}")@((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}[\p{L}\p{N}-]{0,61}\p{L})(?![\p{L}\p{N}-]|@)/gu;
/** As people write it to hide it from programs: `jane [at] example [dot] com`. */
const SPELLED =
  /(?<![\w.-])[a-z0-9][\w.+-]{0,40} ?[([{<] ?at ?[)\]}>] ?[a-z0-9-]{1,40}(?: ?[([{<] ?dot ?[)\]}>] ?[a-z0-9-]{1,30}|\.[a-z0-9-]{2,30}){1,3}(?![a-z0-9-])/gi;

/** Endings of file names and of packages, which look like domains: `icon@2x.png`, `git@1.2.js`. */
const NOT_A_DOMAIN =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|scss|jsx?|tsx?|mjs|json|ya?ml|html?|md|lock|map|zip|gz|local|localhost|internal|invalid)$/i;
const SCALE = /@\d+(?:\.\d+)?x\./i;

/** E-mail addresses, also of international domains and spelled out. */
export const email: Detector = {
  type: 'email',
  scan(text) {
    const plain = text.includes('@') ? matchesOf(text, CANDIDATE, (found) => toMatch(text, found)) : [];
    const spelled = matchesOf(text, SPELLED, ({ 0: all, index }) => ({
      type: 'email',
      start: index,
      end: index + all.length,
      confidence: 0.85,
    }));
    return [...plain, ...spelled];
  },
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
