import type { AlertChange } from '../../../core/alerts/index.ts';
import { createAuditAppender, draftEntry } from '../../../core/audit/index.ts';
import { createNotifier } from '../../../core/deliveries/index.ts';
import type { Connection } from '../../../db/connection.ts';
import type { WriteOp } from '../../../db/group-commit.ts';
import { newId } from '../../../db/new-id.ts';
import { badRequest, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { applyAlert } from '../alerts/apply-alert.ts';
import type { Incident, Severity, TimelineKind } from '../state.ts';
import { incidentSubject } from '../subject.ts';
import { type IncidentNotification, toNotification } from '../to-notification.ts';
import { applyStep, type Doer, mergeIncidents, type Step } from './apply-person.ts';
import { incidentRows } from './incident-rows.ts';

/** A change of incidents. `now`: epoch milliseconds. */
export type IncidentChange = {
  readonly now: number;
  readonly projectId: string;
  readonly actor: Actor;
} & (
  | { readonly kind: 'alert'; readonly change: AlertChange; readonly cause: string | null }
  | {
      readonly kind: 'open';
      readonly organizationId: string;
      readonly title: string;
      readonly severity: Severity;
      readonly notes: string;
      readonly measure: string | null;
      readonly startedAt: number;
      readonly dimensions: Readonly<Record<string, string>>;
      /** Channels that are notified; empty: those that subscribe. */
      readonly channelIds: readonly string[];
    }
  | { readonly kind: 'step'; readonly id: string; readonly step: Step }
  | { readonly kind: 'merge'; readonly id: string; readonly into: string }
  | { readonly kind: 'healthy'; readonly id: string; readonly before: number }
);

/** The id of the changed incident, null if nothing changed; `told`: whether notifications were written. */
export type IncidentOutcome = { readonly id: string | null; readonly told: boolean };

/**
 * Changes incidents in one transaction with their audit entries and notifications. The decision, such as which incident
 * an alert joins, is made in it, so that a repeated or concurrent change cannot open a second incident.
 * @throws AppError 404, 409
 */
export const changeIncidentOp: WriteOp<IncidentChange, IncidentOutcome> = {
  name: 'incidents.change',
  open(connection) {
    const change = openChange(connection);
    return { apply: change };
  },
};

type Saved = {
  readonly action: string;
  readonly told: IncidentNotification | null;
  readonly cause?: string | null;
};

function openChange(connection: Connection): (input: IncidentChange) => IncidentOutcome {
  const rows = incidentRows(connection);
  const audit = createAuditAppender(connection);
  const notifier = createNotifier(connection);

  function save(input: IncidentChange, incident: Incident, { action, told, cause = null }: Saved): void {
    const { organizationId, projectId, id } = incident;
    const note = { action, organizationId, projectId, subject: { of: incidentSubject, id } };
    const draft = draftEntry({ now: () => input.now }, input.actor, note);
    const before = audit.stateOf(draft);
    rows.save(incident);
    audit.append(draft, { before, after: audit.stateOf(draft) });
    if (told !== null) notifier.add(toNotification(incident, told, cause), input.now);
  }

  function find({ projectId }: IncidentChange, id: string): Incident {
    const found = rows.find(projectId, id);
    if (found === null) throw notFound(`There is no incident ${id}`);
    return found;
  }

  function applyAlertChange(input: Extract<IncidentChange, { kind: 'alert' }>): IncidentOutcome {
    const { change, projectId, now, cause } = input;
    if (rows.knows(projectId, change.id, now)) return NOTHING;
    const make = () => ({ id: newId('inc', now), number: rows.nextNumber(projectId), now });
    const effect = applyAlert(rows.open(projectId), change, make, now);
    if (effect === null) return NOTHING;
    const { incident, isNew, told } = effect;
    save(input, incident, { action: isNew ? 'incident.opened' : 'incident.updated', told, cause });
    return { id: incident.id, told: told !== null };
  }

  function applyPersonStep(input: Extract<IncidentChange, { kind: 'step' }>): IncidentOutcome {
    const incident = find(input, input.id);
    const { incident: changed, action, told } = applyStep(incident, input.step, doerOf(input));
    if (changed === incident) return { id: incident.id, told: false };
    save(input, changed, { action, told });
    return { id: incident.id, told: told !== null };
  }

  function merge(input: Extract<IncidentChange, { kind: 'merge' }>): IncidentOutcome {
    const merged = mergeIncidents(find(input, input.id), find(input, input.into), doerOf(input));
    save(input, merged.from, { action: 'incident.merged', told: null });
    save(input, merged.into, { action: 'incident.updated', told: 'incident.updated' });
    return { id: merged.into.id, told: true };
  }

  /** Resolves an incident unless an alert has fired again meanwhile. */
  function resolveHealthy(input: Extract<IncidentChange, { kind: 'healthy' }>): IncidentOutcome {
    const incident = rows.find(input.projectId, input.id);
    if (incident === null || incident.healthySince === null || incident.healthySince > input.before)
      return NOTHING;
    const step = { kind: 'resolve', text: 'All alerts were healthy.' } as const;
    const { incident: changed, action, told } = applyStep(incident, step, doerOf(input));
    if (changed === incident) return NOTHING;
    save(input, changed, { action, told });
    return { id: incident.id, told: told !== null };
  }

  function open(input: Extract<IncidentChange, { kind: 'open' }>): IncidentOutcome {
    if (input.startedAt > input.now) throw badRequest('startedAt: must not be in the future');
    const incident = opened(input, rows.nextNumber(input.projectId));
    save(input, incident, { action: 'incident.opened', told: 'incident.opened' });
    return { id: incident.id, told: true };
  }

  return (input) => {
    switch (input.kind) {
      case 'alert':
        return applyAlertChange(input);
      case 'step':
        return applyPersonStep(input);
      case 'merge':
        return merge(input);
      case 'healthy':
        return resolveHealthy(input);
      case 'open':
        return open(input);
    }
  };
}

const NOTHING: IncidentOutcome = { id: null, told: false };

function doerOf({ actor, now }: IncidentChange): Doer {
  const userId = actor.kind === 'user' ? actor.userId : null;
  const by = actor.kind === 'user' ? null : (actor.name ?? actor.kind);
  return { userId, by, now, newId: () => newId('ine', now) };
}

function opened(input: Extract<IncidentChange, { kind: 'open' }>, number: number): Incident {
  const { now, projectId, organizationId, title, severity, notes, measure, startedAt, dimensions } = input;
  const { channelIds } = input;
  const { userId, by, newId: entryId } = doerOf(input);
  const kind: TimelineKind = 'opened';
  return {
    id: newId('inc', now),
    organizationId,
    projectId,
    number,
    title,
    severity,
    status: 'open',
    measure,
    dimensions,
    alerts: [],
    timeline: [{ id: entryId(), at: now, kind, userId, by, text: null }],
    channelIds,
    notes,
    assigneeId: null,
    mergedInto: null,
    startedAt,
    acknowledgedAt: null,
    resolvedAt: null,
    healthySince: null,
    createdAt: now,
    updatedAt: now,
  };
}
