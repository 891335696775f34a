import { DAY_MS, HOUR_MS } from '../time.ts';

const UNITS = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;
type Unit = keyof typeof UNITS;

/** For how long one copy of each hour, day or week is kept. */
export type KeepRule = readonly { readonly count: number; readonly unit: Unit }[];

/** Reads `24h,7d,4w`: one of each of the last 24 hours, 7 days and 4 weeks. Null if it is something else. */
export function parseKeepRule(text: string): KeepRule | null {
  const parts = text.split(',').map((part) => /^(\d{1,4})([hdw])$/.exec(part.trim()));
  const rule = parts.flatMap((part) =>
    part === null || Number(part[1]) === 0 ? [] : [{ count: Number(part[1]), unit: part[2] as Unit }],
  );
  return rule.length === parts.length ? rule : null;
}

/**
 * The times of copies that a rule keeps: of each hour, day or week (UTC; weeks begin on Thursdays) that lies in
 * its part of the rule the newest one, and always the newest of all.
 * @param times epoch milliseconds
 */
export function keptTimes(times: readonly number[], rule: KeepRule, now: number): Set<number> {
  const kept = new Set<number>();
  const newestFirst = [...times].sort((a, b) => b - a);
  if (newestFirst[0] !== undefined) kept.add(newestFirst[0]);
  for (const { count, unit } of rule) {
    const ms = UNITS[unit];
    const seen = new Set<number>();
    for (const time of newestFirst) {
      const period = Math.floor(time / ms);
      if (Math.floor(now / ms) - period >= count || seen.has(period)) continue;
      seen.add(period);
      kept.add(time);
    }
  }
  return kept;
}
