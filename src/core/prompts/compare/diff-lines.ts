import { diffArrays } from 'diff';
import type { DiffLine } from './contract.ts';

/** A comparison of more edits than this shows all lines as removed and added. Their square is what it costs. */
const MAX_EDITS = 300;

/**
 * Compares two texts line by line. The limit counts edits, not time, so that the same texts always have the same
 * difference.
 * @param parts number of texts that are compared together and share the limit
 */
export function diffLines(from: string, to: string, parts = 1): DiffLine[] {
  const [before, after] = [linesOf(from), linesOf(to)];
  if (from === to) return before.map(as('same'));
  const changes = diffArrays(before, after, { maxEditLength: Math.ceil(MAX_EDITS / Math.sqrt(parts)) });
  if (changes === undefined) return [...before.map(as('removed')), ...after.map(as('added'))];
  return changes.flatMap(({ value, added, removed }) =>
    value.map(as(added ? 'added' : removed ? 'removed' : 'same')),
  );
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

const as =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text });
