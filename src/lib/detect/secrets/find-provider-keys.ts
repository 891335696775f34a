import { type Detector, MAX_MATCHES, type Match, matchAt, matchesOf } from '../match.ts';
import { createLiteralSearch } from '../text/literals.ts';
import type { SecretForm } from './providers.ts';

/** Text that stands for a key in documentation: `sk-xxxxxxxx…`, `AKIAEXAMPLE…`, `hf_000000…`. */
const EXAMPLE = /(.)\1{9}|x{6}|example|your[_-]|placeholder|redacted/i;

/** Finds credentials of the given forms. One pass over the text tells where they may begin; a form is only tried there. */
export function providerKeys(forms: readonly SecretForm[]): Detector {
  const literals = forms.flatMap((form, number) =>
    ('starts' in form ? form.starts : [form.hint]).map((literal) => ({ literal, number })),
  );
  const search = createLiteralSearch(
    literals.map(({ literal }) => literal),
    true,
  );
  const numbers = literals.map(({ number }) => number);
  return {
    type: 'provider_key',
    scan(text) {
      const matches: Match[][] = [];
      const ends = new Int32Array(forms.length);
      search.each(text, (literal, start) => {
        const number = numbers[literal] ?? 0;
        const form = forms[number];
        if (form === undefined || start < (ends[number] ?? 0)) return;
        if (!('starts' in form)) {
          matches[number] = matchesOf(text, form.form, (found) => toMatch(found, form.type));
          ends[number] = text.length;
          return;
        }
        // A key stands alone; most literals are inside of words.
        if (isOfWord(text.charCodeAt(start - 1))) return;
        const own = matches[number] ?? [];
        form.form.lastIndex = start;
        const found = own.length < MAX_MATCHES ? form.form.exec(text) : null;
        if (found === null) return;
        ends[number] = form.form.lastIndex;
        const match = toMatch(found, form.type);
        if (match === null) return;
        own.push(match);
        matches[number] = own;
      });
      return matches.flat();
    },
  };
}

const isOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95;

const toMatch = (found: RegExpExecArray, type: string): Match | null =>
  EXAMPLE.test(found[0]) ? null : matchAt(found, type, 0.98);
