import type { AlertChange } from '../../core/alerts/index.ts';
import type { Incident as Entry } from './contract.ts';

export type Severity = Entry['severity'];

/** A group of an alert that belongs to an incident. Times are epoch milliseconds. */
export type IncidentAlert = {
  readonly alertId: string;
  readonly name: string;
  /** Value of the alert's group; null without groups. */
  readonly group: string | null;
  readonly measure: string;
  readonly state: 'firing' | 'resolved';
  readonly severity: Severity;
  readonly value: number | null;
  readonly threshold: number | null;
  /** Calls without a price, which a cost leaves out, and all calls; missing where an older version wrote it. */
  readonly unpriced?: number | null;
  readonly calls?: number | null;
  readonly summary: string;
  readonly windowStart: number;
  readonly windowEnd: number;
  readonly firstAt: number;
  readonly lastAt: number;
};

export type TimelineKind = Entry['timeline'][number]['kind'];

/** One entry. `id` is that of the alert's change, so that a repeated change is recognised. */
export type TimelineEntry = {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: TimelineKind;
  /** Id of the person; null for the product and the operator. */
  readonly userId: string | null;
  /** Name of the operator or job; null for a person. */
  readonly by: string | null;
  readonly text: string | null;
};

/** An incident while it is changed. Times are epoch milliseconds. */
export type Incident = {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly number: number;
  readonly title: string;
  readonly severity: Severity;
  readonly status: 'open' | 'acknowledged' | 'resolved';
  readonly measure: string | null;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly alerts: readonly IncidentAlert[];
  readonly timeline: readonly TimelineEntry[];
  readonly channelIds: readonly string[];
  readonly notes: string;
  readonly assigneeId: string | null;
  readonly mergedInto: string | null;
  readonly startedAt: number;
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
  readonly healthySince: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** Most entries of a timeline; beyond, the oldest changes of alerts are dropped. */
const MAX_ENTRIES = 500;

/** Adds entries to a timeline. */
export function withEntries(incident: Incident, entries: readonly TimelineEntry[], now: number): Incident {
  const all = [...incident.timeline, ...entries];
  const excess = all.length - MAX_ENTRIES;
  if (excess <= 0) return { ...incident, timeline: all, updatedAt: now };
  let left = excess;
  const kept = all.filter(({ kind }) => {
    if (left === 0 || !['alert_changed', 'alert_resolved', 'alert_joined'].includes(kind)) return true;
    left--;
    return false;
  });
  return { ...incident, timeline: kept.slice(-MAX_ENTRIES), updatedAt: now };
}

/** The names of dimensions by which incidents are the same. */
const JOINED_BY = ['model', 'provider', 'environment', 'release', 'errorCode'] as const;
/** An alert joins an incident of this age, counted from its last alert. */
export const JOIN_MS = 30 * 60_000;

/** Whether an alert is about what an incident is about: no dimension contradicts, and one is equal or absent. */
export function agrees(incident: Incident, { dimensions, at }: AlertChange): boolean {
  const last = Math.max(incident.startedAt, ...incident.alerts.map(({ lastAt }) => lastAt));
  if (Math.abs(at - last) > JOIN_MS) return false;
  const named = (of: Readonly<Record<string, string>>): string[] => JOINED_BY.filter((name) => of[name]);
  const [own, other] = [named(incident.dimensions), named(dimensions)];
  const shared = own.filter((name) => other.includes(name));
  if (shared.some((name) => incident.dimensions[name] !== dimensions[name])) return false;
  return shared.length > 0 || own.length === 0 || other.length === 0;
}

/** Whether a group of an alert is the one that changed. */
export const isOf = (alert: IncidentAlert, { alertId, group }: AlertChange): boolean =>
  alert.alertId === alertId && alert.group === group;
