import type { Match } from '../detect/match.ts';

/** What stands for a redacted place: its type in capitals, such as `[EMAIL]`. */
export const labelOf = (type: string): string => `[${type.toUpperCase()}]`;

/** A text with the places of matches replaced by their types. Places that overlap become one, of the longest's type. */
export function redactText(text: string, matches: readonly Match[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const { type, start, end } of united(matches)) {
    pieces.push(text.slice(last, start), labelOf(type));
    last = end;
  }
  pieces.push(text.slice(last));
  return pieces.join('');
}

function united(matches: readonly Match[]): Match[] {
  const places: { match: Match; longest: number }[] = [];
  for (const match of [...matches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const length = match.end - match.start;
    const last = places.at(-1);
    if (last === undefined || match.start >= last.match.end) {
      places.push({ match, longest: length });
      continue;
    }
    const { type } = length > last.longest ? match : last.match;
    last.match = { ...last.match, type, end: Math.max(last.match.end, match.end) };
    last.longest = Math.max(last.longest, length);
  }
  return places.map(({ match }) => match);
}
