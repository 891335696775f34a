import { DAY_MS, HOUR_MS, isRateLimitAfternoon, isTimeoutAfternoon } from './story.ts';

/** Share of the peak, by hour of the UTC day: quiet nights, a dip at lunch, a tail in the evening. */
const HOURS = [
  0.1, 0.08, 0.06, 0.05, 0.06, 0.12, 0.28, 0.55, 0.85, 1, 0.98, 0.9, 0.72, 0.88, 1, 0.97, 0.85, 0.66, 0.48,
  0.38, 0.32, 0.26, 0.2, 0.14,
];
/** Share of a working day, from Sunday to Saturday. */
const WEEKDAYS = [0.28, 1, 1.05, 1.08, 1, 0.88, 0.34];
/** Days in which the traffic grows by a factor of e. */
const GROWTH_DAYS = 40;
/** Factor on the traffic during the import that causes the rate limits. */
const IMPORT_SURGE = 2.2;
/** Factor on the traffic when users repeat unanswered questions. */
const ASK_AGAIN_SURGE = 1.6;
/** Minimum share of a working day on an afternoon of the story, which would be invisible on a quiet Sunday. */
const STORY_LEVEL = 0.9;

/**
 * How busy an hour is: 1 is the peak of a working day a week or two before `now`.
 *
 * @param now the end of the demo data, epoch ms
 * @param hour the start of the hour, epoch ms
 */
export function trafficLevel(now: number, hour: number): number {
  const date = new Date(hour);
  const daily = HOURS[date.getUTCHours()] ?? 0;
  const weekly = WEEKDAYS[date.getUTCDay()] ?? 0;
  const growth = 1.4 * Math.exp(-(now - hour) / (GROWTH_DAYS * DAY_MS));
  if (isRateLimitAfternoon(now, hour)) return daily * Math.max(weekly, STORY_LEVEL) * growth * IMPORT_SURGE;
  if (isTimeoutAfternoon(now, hour)) return daily * Math.max(weekly, STORY_LEVEL) * growth * ASK_AGAIN_SURGE;
  return daily * weekly * growth;
}

/** The start of each hour that touches the time from `start` to `end`, oldest first. */
export function* hoursBetween(start: number, end: number): Generator<number> {
  for (let hour = Math.floor(start / HOUR_MS) * HOUR_MS; hour <= end; hour += HOUR_MS) yield hour;
}
