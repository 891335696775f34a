import { formatInstant, parseInstant } from '../../../lib/time.ts';
import { instantOf, wallClock } from '../../../lib/time-zone.ts';
import type { Zone } from '../../ui/format.ts';

/** An instant as a browser's field for date and time holds it, such as `2026-11-22T14:05`, in a zone. */
export const toField = (ms: number, zone: Zone): string => formatInstant(wallClock(ms, zone)).slice(0, 16);

/**
 * The instant in a field. One that was not edited is the given instant itself: a time that a zone shows twice, or
 * seconds that the field does not show, would be lost.
 */
export function fromField(text: string, given: number, zone: Zone): number | null {
  if (text === toField(given, zone)) return given;
  const wall = parseInstant(`${text}:00Z`);
  return wall === null ? null : instantOf(wall, zone);
}
