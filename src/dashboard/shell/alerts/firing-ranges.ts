import type { Firings } from '../../../features/alerts/contract.ts';

type Firing = Firings['firings'][number];

/** A time in which an alert fired, for however many of its groups. */
export type FiringRange = Pick<Firing, 'alertId' | 'name' | 'severity' | 'from' | 'to'> & {
  /** The groups that fired, without repetition. */
  readonly groups: readonly string[];
};

/** Joins the times of each alert that touch or overlap, so that a chart shows an alert of many groups once. */
export function joinFirings(firings: readonly Firing[]): FiringRange[] {
  const joined = new Map<string, FiringRange[]>();
  for (const firing of firings.toSorted((a, b) => a.from.localeCompare(b.from))) {
    const { alertId, name, severity, from, to, group } = firing;
    const own = joined.get(alertId) ?? [];
    const last = own.at(-1);
    const groups = group === null ? [] : [group];
    if (last === undefined || (last.to !== null && last.to < from))
      own.push({ alertId, name, severity, from, to, groups });
    else
      own[own.length - 1] = {
        ...last,
        severity: last.severity === 'critical' ? 'critical' : severity,
        to: later(last.to, to),
        groups: [...new Set([...last.groups, ...groups])],
      };
    joined.set(alertId, own);
  }
  return [...joined.values()].flat().sort((a, b) => a.from.localeCompare(b.from));
}

/** The later of two ends, ISO 8601 UTC; null is open and so the latest. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return one < other ? other : one;
}
