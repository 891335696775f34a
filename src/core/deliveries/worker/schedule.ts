import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time.ts';

/** Delay before the second and later attempts; the first is made at once. Ten attempts in about 76 hours. */
const DELAYS_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
] as const;

/** Delays vary by that fraction, so that the deliveries of one outage do not come back at the same moment. */
const JITTER = 0.1;
/** The longest delay that a reply can ask for with `Retry-After`. */
const MAX_ASKED_MS = HOUR_MS;

/**
 * Delay until the next attempt in milliseconds; null if there is none.
 * @param attempts made so far, at least 1
 * @param random from 0 to 1
 * @param askedMs what the reply asked for
 */
export function delayAfter(attempts: number, random: number, askedMs = 0): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const varied = delay * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(varied, Math.min(askedMs, MAX_ASKED_MS)));
}
