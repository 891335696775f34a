import { conflict } from '../../../errors.ts';
import {
  type Incident,
  type IncidentAlert,
  type Severity,
  type TimelineEntry,
  type TimelineKind,
  withEntries,
} from '../state.ts';

/** What somebody does with an incident. */
export type Step =
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'resolve'; readonly text?: string | undefined }
  | { readonly kind: 'reopen'; readonly text?: string | undefined }
  | { readonly kind: 'comment'; readonly text: string }
  | {
      readonly kind: 'update';
      readonly title?: string | undefined;
      readonly severity?: Severity | undefined;
      readonly notes?: string | undefined;
      /** Null: nobody. `assigneeName`: for the timeline. */
      readonly assigneeId?: string | null | undefined;
      readonly assigneeName?: string | undefined;
    };

/** Who does it, and when. */
export type Doer = {
  readonly userId: string | null;
  readonly by: string | null;
  readonly now: number;
  readonly newId: () => string;
};

/** The outcome of a step; `told`: the type of the notification, null for none. `incident` is the same if nothing changed. */
export type StepEffect = {
  readonly incident: Incident;
  readonly action: string;
  readonly told: 'incident.updated' | 'incident.resolved' | null;
};

/**
 * Does a step.
 * @throws AppError 409 if the incident was merged into another, and if it is resolved where it must not be
 */
export function applyStep(incident: Incident, step: Step, doer: Doer): StepEffect {
  if (incident.mergedInto !== null && step.kind !== 'comment')
    throw conflict('The incident was merged into another one; change that one');
  switch (step.kind) {
    case 'acknowledge':
      return acknowledge(incident, doer);
    case 'resolve':
      return resolve(incident, doer, step.text ?? null);
    case 'reopen':
      return reopen(incident, doer, step.text ?? null);
    case 'comment':
      return {
        incident: withEntries(incident, [entry(doer, 'commented', step.text)], doer.now),
        action: 'incident.commented',
        told: null,
      };
    case 'update':
      return update(incident, doer, step);
  }
}

const entry = ({ userId, by, now, newId }: Doer, kind: TimelineKind, text: string | null): TimelineEntry => ({
  id: newId(),
  at: now,
  kind,
  userId,
  by,
  text,
});

function acknowledge(incident: Incident, doer: Doer): StepEffect {
  const action = 'incident.acknowledged';
  if (incident.status === 'resolved') throw conflict('The incident is resolved; reopen it first');
  if (incident.status === 'acknowledged') return { incident, action, told: null };
  const changed = {
    ...incident,
    status: 'acknowledged' as const,
    acknowledgedAt: incident.acknowledgedAt ?? doer.now,
    assigneeId: incident.assigneeId ?? doer.userId,
  };
  return {
    incident: withEntries(changed, [entry(doer, 'acknowledged', null)], doer.now),
    action,
    told: 'incident.updated',
  };
}

function resolve(incident: Incident, doer: Doer, text: string | null): StepEffect {
  const action = 'incident.resolved';
  if (incident.status === 'resolved') return { incident, action, told: null };
  const changed = { ...incident, status: 'resolved' as const, resolvedAt: doer.now };
  return {
    incident: withEntries(changed, [entry(doer, 'resolved', text)], doer.now),
    action,
    told: 'incident.resolved',
  };
}

function reopen(incident: Incident, doer: Doer, text: string | null): StepEffect {
  const action = 'incident.reopened';
  if (incident.status !== 'resolved') return { incident, action, told: null };
  const changed = { ...incident, status: 'open' as const, resolvedAt: null, healthySince: null };
  return {
    incident: withEntries(changed, [entry(doer, 'reopened', text)], doer.now),
    action,
    told: 'incident.updated',
  };
}

function update(
  incident: Incident,
  doer: Doer,
  { title, severity, notes, assigneeId, assigneeName }: Extract<Step, { kind: 'update' }>,
): StepEffect {
  const entries: TimelineEntry[] = [];
  if (title !== undefined && title !== incident.title) entries.push(entry(doer, 'title_changed', title));
  if (severity !== undefined && severity !== incident.severity)
    entries.push(entry(doer, 'severity_changed', severity));
  if (notes !== undefined && notes !== incident.notes) entries.push(entry(doer, 'notes_changed', null));
  if (assigneeId !== undefined && assigneeId !== incident.assigneeId)
    entries.push(entry(doer, 'assigned', assigneeId === null ? null : (assigneeName ?? assigneeId)));
  const action = 'incident.updated';
  if (entries.length === 0) return { incident, action, told: null };
  const changed = {
    ...incident,
    title: title ?? incident.title,
    severity: severity ?? incident.severity,
    notes: notes ?? incident.notes,
    assigneeId: assigneeId === undefined ? incident.assigneeId : assigneeId,
  };
  const isTold = entries.some(({ kind }) => kind === 'severity_changed' || kind === 'assigned');
  return {
    incident: withEntries(changed, entries, doer.now),
    action,
    told: isTold ? 'incident.updated' : null,
  };
}

/** Moves all of `from` into `into`. @throws AppError 409 for an incident that was merged already, and for itself */
export function mergeIncidents(
  from: Incident,
  into: Incident,
  doer: Doer,
): { readonly from: Incident; readonly into: Incident } {
  if (from.id === into.id) throw conflict('An incident cannot be merged into itself');
  if (from.mergedInto !== null || into.mergedInto !== null)
    throw conflict('One of the incidents was merged into another one already');
  // Of an alert that both have, the newer state counts.
  const newest = new Map<string, IncidentAlert>();
  for (const alert of [...into.alerts, ...from.alerts]) {
    const key = `${alert.alertId} ${alert.group}`;
    const known = newest.get(key);
    if (known === undefined || alert.lastAt > known.lastAt) newest.set(key, alert);
  }
  const alerts = [...newest.values()];
  const isFiring = alerts.some(({ state }) => state === 'firing');
  const merged = {
    ...into,
    alerts,
    severity: from.severity === 'critical' ? from.severity : into.severity,
    startedAt: Math.min(from.startedAt, into.startedAt),
    channelIds: [...new Set([...into.channelIds, ...from.channelIds])],
    healthySince: isFiring ? null : (into.healthySince ?? from.healthySince),
  };
  return {
    into: withEntries(merged, [entry(doer, 'merged', `#${from.number} ${from.title}`)], doer.now),
    from: withEntries(
      {
        ...from,
        status: 'resolved',
        resolvedAt: from.resolvedAt ?? doer.now,
        mergedInto: into.id,
        healthySince: null,
      },
      [entry(doer, 'merged_into', `#${into.number} ${into.title}`)],
      doer.now,
    ),
  };
}
