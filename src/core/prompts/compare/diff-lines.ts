import { diffArrays } from 'diff';
import type { DiffLine } from './contract.ts';

/** A comparison that needs more steps than this shows all lines as removed and added. */
const MAX_EDITS = 1_000;
const MAX_MS = 20;

/** Compares two texts line by line. Takes bounded time: texts that have little in common are not searched for it. */
export function diffLines(from: string, to: string): DiffLine[] {
  const [before, after] = [linesOf(from), linesOf(to)];
  if (from === to) return before.map(as('same'));
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS, timeout: MAX_MS });
  if (changes === undefined) return [...before.map(as('removed')), ...after.map(as('added'))];
  return changes.flatMap(({ value, added, removed }) =>
    value.map(as(added ? 'added' : removed ? 'removed' : 'same')),
  );
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

const as =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text });
