import type { AlertChange } from '../../../core/alerts/index.ts';
import {
  agrees,
  type Incident,
  type IncidentAlert,
  isOf,
  type Severity,
  type TimelineEntry,
  type TimelineKind,
  withEntries,
} from '../state.ts';

/** How an alert changed an incident; `told`: the type of the notification, null for none. */
export type AlertEffect = {
  readonly incident: Incident;
  readonly isNew: boolean;
  readonly told: 'incident.opened' | 'incident.updated' | null;
};

/** What a new incident gets. */
export type NewIncident = { readonly id: string; readonly number: number; readonly now: number };

/**
 * What an alert's change does to the incidents of its project: one that has the alert already, else one that it agrees
 * with, else a new one.
 * @param open incidents that are not resolved, newest first
 * @returns null if it concerns no incident
 */
export function applyAlert(
  open: readonly Incident[],
  change: AlertChange,
  make: () => NewIncident,
  now: number,
): AlertEffect | null {
  const isBad = change.outcome === 'fired' || change.outcome === 'escalated' || change.outcome === 'no_data';
  const own = open.find(({ alerts }) => alerts.some((alert) => isOf(alert, change)));
  const found = own ?? (isBad ? open.find((incident) => agrees(incident, change)) : undefined);
  if (found !== undefined) return update(found, change, now);
  if (!isBad) return null;
  const incident = openFrom(change, make());
  return { incident, isNew: true, told: change.silenced ? null : 'incident.opened' };
}

const severityOf = ({ severity }: AlertChange): Severity => severity ?? 'warning';

function openFrom(change: AlertChange, { id, number, now }: NewIncident): Incident {
  return {
    id,
    organizationId: change.organizationId,
    projectId: change.projectId,
    number,
    title: titleOf(change),
    severity: severityOf(change),
    status: 'open',
    measure: change.measure,
    dimensions: change.dimensions,
    alerts: [toAlert(change, undefined)],
    timeline: [entryOf(change, 'opened', now)],
    channelIds: change.silenced ? [] : change.channelIds,
    notes: '',
    assigneeId: null,
    mergedInto: null,
    startedAt: change.at,
    acknowledgedAt: null,
    resolvedAt: null,
    healthySince: null,
    createdAt: now,
    updatedAt: now,
  };
}

const MAX_TITLE = 200;
const titleOf = ({ name, group, groupBy }: AlertChange): string =>
  (group === null ? name : `${name}: ${groupBy ?? ''} ${group === '' ? '(none)' : group}`).slice(
    0,
    MAX_TITLE,
  );

function toAlert(change: AlertChange, known: IncidentAlert | undefined): IncidentAlert {
  const { alertId, name, group, measure, value, threshold, summary, windowStart, windowEnd, at } = change;
  const { unpriced = null, calls = null } = change;
  return {
    alertId,
    name,
    group,
    measure,
    state: change.outcome === 'resolved' ? 'resolved' : 'firing',
    severity: change.severity ?? known?.severity ?? 'warning',
    value,
    threshold,
    unpriced,
    calls,
    summary,
    windowStart: known?.windowStart ?? windowStart,
    windowEnd,
    firstAt: known?.firstAt ?? at,
    lastAt: Math.max(at, known?.lastAt ?? at),
  };
}

const entryOf = ({ id, summary, at }: AlertChange, kind: TimelineKind, now: number): TimelineEntry => ({
  id,
  at: Math.min(at, now),
  kind,
  userId: null,
  by: 'alerts',
  text: summary,
});

/** Most alerts of an incident; further ones are in its timeline only. */
const MAX_ALERTS = 100;

function update(incident: Incident, change: AlertChange, now: number): AlertEffect {
  const known = incident.alerts.find((alert) => isOf(alert, change));
  const alert = toAlert(change, known);
  const others = incident.alerts.filter((one) => one !== known);
  const alerts = [...others, alert].slice(-MAX_ALERTS);
  const isHealthy = alerts.every(({ state }) => state === 'resolved');
  const isWorse =
    alert.state === 'firing' && alert.severity === 'critical' && incident.severity === 'warning';
  const kind: TimelineKind =
    change.outcome === 'resolved' ? 'alert_resolved' : known === undefined ? 'alert_joined' : 'alert_changed';
  const changed: Incident = {
    ...incident,
    alerts,
    severity: isWorse ? 'critical' : incident.severity,
    measure: incident.measure ?? change.measure,
    dimensions: { ...change.dimensions, ...incident.dimensions },
    channelIds: change.silenced
      ? incident.channelIds
      : [...new Set([...incident.channelIds, ...change.channelIds])],
    startedAt: Math.min(incident.startedAt, alert.firstAt),
    healthySince: isHealthy ? (incident.healthySince ?? now) : null,
  };
  return {
    incident: withEntries(changed, [entryOf(change, kind, now)], now),
    isNew: false,
    told: !change.silenced && (known === undefined || isWorse) ? 'incident.updated' : null,
  };
}
