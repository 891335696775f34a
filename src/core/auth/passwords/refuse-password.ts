import { createHash } from 'node:crypto';
import { badRequest } from '../../../errors.ts';

/** Whose password it is: words that others know of the person. */
export type Known = { readonly email: string; readonly name?: string | undefined };

const MIN_LENGTH = 8;
const MIN_WORD = 3;

/**
 * Refuses passwords that are tried first: the 10,000 most common ones (also with signs added at an end), repetitions and
 * sequences, and the person's own address or name with little else.
 * @throws AppError 400 that says what to change
 */
export async function refusePassword(password: string, known: Known): Promise<void> {
  const plain = password.normalize('NFKC').toLowerCase();
  if (isPattern(plain)) throw badRequest('password is a repetition or a sequence; choose another one');
  const isCommon = await loadCommon();
  if ([plain, ...withoutEnds(plain)].some(isCommon)) {
    throw badRequest('password is among the 10,000 most common ones; choose another one');
  }
  if (isOwnName(plain, known)) {
    throw badRequest('password is your address or name with little else; choose another one');
  }
}

/** One block of up to four signs over and over, or each sign the next or previous of the one before. */
function isPattern(password: string): boolean {
  if (/^(.{1,4})\1+$/su.test(password)) return true;
  const codes = [...password].map((sign) => sign.codePointAt(0) ?? 0);
  return [1, -1].some((step) => codes.every((code, i) => i === 0 || code - (codes[i - 1] ?? 0) === step));
}

/** What is left of `Password1!` and `123password` is as common as the whole. */
const withoutEnds = (password: string): string[] =>
  [password.replace(/[^\p{L}]+$/u, ''), password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')].filter(
    ({ length }) => length >= MIN_LENGTH,
  );

function isOwnName(password: string, { email, name = '' }: Known): boolean {
  const withoutTopLevel = email.replace(/\.[^.]*$/, '');
  const words = `${withoutTopLevel} ${name}`
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(({ length }) => length >= MIN_WORD)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password);
  return rest !== password && rest.length < MIN_LENGTH;
}

async function loadCommon(): Promise<(password: string) => boolean> {
  const { COMMON_PASSWORDS } = await import('./common-passwords.ts');
  const hashes = Buffer.from(COMMON_PASSWORDS, 'base64');
  return (password) => {
    const hash = createHash('sha256').update(password).digest().readUInt32BE(0);
    for (let at = 0; at < hashes.length; at += 4) if (hashes.readUInt32BE(at) === hash) return true;
    return false;
  };
}
