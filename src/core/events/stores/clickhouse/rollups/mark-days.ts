import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Engine } from '../engine/engine.ts';

/** A UTC day of a project, as a number since the epoch. */
export type ProjectDay = { readonly project: number; readonly day: number };

export const dayOf = (ts: number): number => Math.floor(ts / DAY_MS);

/** How long after its end changes of a day are marked; sums are built later, so that clocks may differ by an hour. */
const MARKED_AFTER_MS = HOUR_MS;

/**
 * Marks days whose events were added or changed: their sums are not used until they are built again. To be awaited after
 * the change, before it is acknowledged; a change that is repeated after a crash is marked again.
 */
export async function markDays(engine: Engine, now: number, days: Iterable<ProjectDay>): Promise<void> {
  const over = new Map<string, ProjectDay>();
  for (const { project, day } of days)
    if ((day + 1) * DAY_MS + MARKED_AFTER_MS <= now) over.set(`${project} ${day}`, { project, day });
  if (over.size === 0) return;
  const salt = crypto.getRandomValues(new Uint32Array(1))[0];
  await engine.insert(
    'rollup_marks',
    [...over.values()].map((one) => ({ ...one, marks: 1, salt })),
  );
}
