import { and, asc, desc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { AlertState, Firings } from '../contract.ts';
import { alertGroups, alertHistory, alerts } from '../table.ts';

/** Most times in the reply, and the changes that are read for them. */
const MAX_FIRINGS = 500;
const MAX_READ = 5_000;
const FIRING = ['warning', 'critical'] as const;
type Severity = (typeof FIRING)[number];
const isFiring = (state: AlertState): state is Severity => state === 'warning' || state === 'critical';

type Window = { readonly from: number; readonly to: number };
type Named = Pick<typeof alerts.$inferSelect, 'id' | 'name' | 'rule'>;
/** A time whose end is known, read backwards. `to` is null while the group fires. */
type Open = Named & { readonly group: string; readonly severity: Severity; readonly to: number | null };

const named = { id: alerts.id, name: alerts.name, rule: alerts.rule };

/** When groups of a project's alerts fired in a window, newest first. @param window epoch milliseconds */
export async function listFirings(ctx: Ctx, projectId: string, window: Window): Promise<Firings> {
  const [changes, firing] = await Promise.all([
    readChanges(ctx, projectId, window),
    ctx.db.sql
      .select({ ...named, group: alertGroups.groupKey, state: alertGroups.state })
      .from(alertGroups)
      .innerJoin(alerts, eq(alerts.id, alertGroups.alertId))
      .where(and(eq(alertGroups.projectId, projectId), inArray(alertGroups.state, FIRING)))
      .orderBy(asc(alertGroups.since))
      .limit(MAX_FIRINGS),
  ]);
  const open = new Map<string, Open>();
  const keyOf = ({ id, group }: { id: string; group: string }): string => `${id}\0${group}`;
  for (const { state, ...row } of firing)
    if (isFiring(state)) open.set(keyOf(row), { ...row, severity: state, to: null });
  const found: Firings['firings'] = [];
  const close = (one: Open, from: number): void => {
    open.delete(keyOf(one));
    if (from < window.to && (one.to ?? window.to) > window.from) found.push(toFiring(one, from));
  };
  // Newest first: a change away from firing ends a time, a change to firing begins it.
  for (const { at, from, to, ...row } of changes) {
    const own = open.get(keyOf(row));
    if (isFiring(from)) {
      const severity = from === 'critical' ? from : (own?.severity ?? from);
      open.set(keyOf(row), { ...row, severity, to: isFiring(to) ? (own?.to ?? null) : at.getTime() });
    } else if (own !== undefined) close(own, at.getTime());
  }
  // What is left began before the window.
  for (const one of [...open.values()]) close(one, window.from);
  return { firings: found.sort((a, b) => b.from.localeCompare(a.from)).slice(0, MAX_FIRINGS) };
}

const readChanges = (ctx: Ctx, projectId: string, { from }: Window) =>
  ctx.db.sql
    .select({
      ...named,
      group: alertHistory.groupKey,
      at: alertHistory.at,
      from: alertHistory.from,
      to: alertHistory.to,
    })
    .from(alertHistory)
    .innerJoin(alerts, eq(alerts.id, alertHistory.alertId))
    .where(
      and(
        eq(alertHistory.projectId, projectId),
        isNull(alertHistory.supersededAt),
        gt(alertHistory.at, new Date(from)),
        or(inArray(alertHistory.from, FIRING), inArray(alertHistory.to, FIRING)),
      ),
    )
    .orderBy(desc(alertHistory.at), desc(alertHistory.id))
    .limit(MAX_READ);

const toFiring = (
  { id, name, rule, group, severity, to }: Open,
  from: number,
): Firings['firings'][number] => ({
  alertId: id,
  name,
  measure: rule.measure,
  group: rule.groupBy === null ? null : group,
  severity,
  from: formatInstant(from),
  to: to === null ? null : formatInstant(to),
});
