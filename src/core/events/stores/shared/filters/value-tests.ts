import { compileGlob } from '../../../../../lib/compile-glob.ts';
import type { Condition } from '../../../filter/contract.ts';

/** Whether a text fulfils a condition on texts; null is no text. `not` is left to the caller. */
export function textTest({ values, globs, contains }: Condition): (text: string | null) => boolean {
  if (contains !== undefined) return (text) => text?.toLowerCase().includes(contains) ?? false;
  if (values === undefined && globs === undefined) return (text) => text !== null && text !== '';
  const wanted = new Set(values);
  const matchers = (globs ?? []).map(compileGlob);
  return (text) => {
    if (text === null || text === '') return false;
    if (wanted.has(text)) return true;
    if (matchers.length === 0) return false;
    const lower = text.toLowerCase();
    return matchers.some((matches) => matches(lower));
  };
}

/** Whether a number fulfils a condition on numbers; null is none. */
export function numberTest({ ranges }: Condition): (value: number | null) => boolean {
  if (ranges === undefined) return (value) => value !== null;
  return (value) =>
    value !== null &&
    ranges.some(
      ({ min = -Infinity, over = -Infinity, max = Infinity, under = Infinity }) =>
        value >= min && value > over && value <= max && value < under,
    );
}
