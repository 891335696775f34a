import { type Detector, type Match, overlapsAny, withoutOverlaps } from '../match.ts';
import type { View } from './fold.ts';
import type { Views } from './views.ts';

/** Values that may be split over lines. The others would join what only stands below each other. */
const SPLITTABLE = new Set(['email', 'card', 'iban']);

/**
 * What detectors find in a text, however it is hidden, as places of the text that was given; without overlaps.
 * @param isSplittable whether a type is also looked for where lines are joined
 */
export function findInViews(
  { folded, joined, hidden }: Views,
  detectors: readonly Detector[],
  minConfidence: number,
  isSplittable: (type: string) => boolean = (type) => SPLITTABLE.has(type),
): Match[] {
  const isSure = ({ confidence }: Match): boolean => confidence >= minConfidence;
  const scan = (view: View, some = detectors): Match[] =>
    some.flatMap(({ scan: find }) => placed(view, find(view.text))).filter(isSure);
  const whole = withoutOverlaps(scan(folded));
  const found = [...whole];
  if (joined.length > 0) {
    const split = detectors.filter(({ type }) => isSplittable(type));
    // What was found without joining lines stays as it is, unless it is less sure: half of an IBAN looks like a phone number.
    const more = joined.flatMap((view) => scan(view, split));
    for (const confidence of new Set(more.map((match) => match.confidence))) {
      const sure = whole.filter((match) => match.confidence >= confidence);
      found.push(...more.filter((match) => match.confidence === confidence && !overlapsAny(sure, match)));
    }
  }
  for (const view of hidden) found.push(...scan(view));
  return found.length === whole.length ? whole : withoutOverlaps(found);
}

const placed = (view: View, matches: readonly Match[]): Match[] =>
  matches.map((match) => ({ ...match, ...view.at(match.start, match.end) }));
