/** A place in a text: from `start` to before `end`, in UTF-16 units of the text as it was given. */
export type Match = {
  /** What it is, such as `email`, `card` or `openai_key`. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** How sure the detector is, from 0 to 1. A valid checksum is worth more than a word nearby. */
  readonly confidence: number;
};

/** Matches of one kind of check. `scan` takes a view of the text, and its places are those of the view. */
export type Detector = {
  readonly type: string;
  scan(text: string): Match[];
};

/** Most matches that one scan reports. A text with more is reported by the first ones. */
export const MAX_MATCHES = 1_000;

/** Collects the matches of a regular expression with the flag `g` that pass a check. */
export function matchesOf(
  text: string,
  pattern: RegExp,
  toMatch: (found: RegExpExecArray) => Match | null,
): Match[] {
  const matches: Match[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const match = toMatch(found);
    if (match !== null) matches.push(match);
    if (matches.length >= MAX_MATCHES) break;
    // An empty match would be found again for ever.
    if (found[0] === '') pattern.lastIndex++;
  }
  return matches;
}

/** A match of a whole regular expression, or of its first group. */
export function matchAt(found: RegExpExecArray, type: string, confidence: number, group?: string): Match {
  const start = found.index + (group === undefined ? 0 : found[0].indexOf(group));
  return { type, start, end: start + (group ?? found[0]).length, confidence };
}

/**
 * Keeps the best of matches that overlap: the surer one, then the longer one, then the earlier one. The result is in the
 * order of the text.
 */
export function withoutOverlaps(matches: readonly Match[]): Match[] {
  if (matches.length < 2) return [...matches];
  const best = [...matches].sort(
    (a, b) => b.confidence - a.confidence || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  const kept: Match[] = [];
  for (const match of best) {
    if (!overlapsAny(kept, match)) kept.splice(firstAfter(kept, match.start), 0, match);
  }
  return kept;
}

/** Whether a match overlaps one of others, which are in the order of the text and do not overlap each other. */
export function overlapsAny(others: readonly Match[], { start, end }: Match): boolean {
  const place = firstAfter(others, start);
  return (others[place - 1]?.end ?? 0) > start || (others[place]?.start ?? Number.POSITIVE_INFINITY) < end;
}

/** The index of the first match that starts after a place, in matches by their start. */
function firstAfter(matches: readonly Match[], start: number): number {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle]?.start ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  return low;
}
