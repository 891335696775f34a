import { z } from 'zod';
import { instantParam, textParam } from '../../core/events/contract.ts';
import { ROOT_CAUSE_MEASURES, rootCauseMeasure, rootCauseSchema } from '../../core/root-cause/contract.ts';
import { defineEndpoint, projectIdParam, projectQuery } from '../../core/tenancy/contract.ts';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { parseInstant } from '../../lib/time.ts';

export const INCIDENT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export const INCIDENT_SEVERITIES = ['warning', 'critical'] as const;

const TIMELINE_KINDS = [
  'opened',
  'alert_joined',
  'alert_changed',
  'alert_resolved',
  'acknowledged',
  'assigned',
  'commented',
  'severity_changed',
  'title_changed',
  'notes_changed',
  'merged',
  'merged_into',
  'resolved',
  'reopened',
] as const;

const personSchema = z.object({
  id: z.string().describe('Id of the person.'),
  name: z.string().describe('Name of the person.'),
});

const alertSchema = z.object({
  alertId: z.string().describe('Id of the alert.'),
  name: z.string().describe('Name of the alert.'),
  group: z.string().nullable().describe('Group of the alert; null without groups.'),
  measure: z.string().describe('What the alert watches.'),
  state: z.enum(['firing', 'resolved']).describe('Whether it fires now.'),
  severity: z.enum(INCIDENT_SEVERITIES).describe('Its severity.'),
  value: z.number().nullable().describe('Its last value; null without one.'),
  threshold: z.number().nullable().describe('The bound that the value was compared with.'),
  unpriced: z
    .int()
    .nullable()
    .describe(
      'Calls of the window without a known price, which a cost leaves out: the value is then a minimum. Null for a measure that is no cost.',
    ),
  calls: z.int().nullable().describe('All calls of the window; null where `unpriced` is.'),
  summary: z.string().describe('Its last change in a line.'),
  firstAt: z.string().describe('When it joined, ISO 8601 UTC.'),
  lastAt: z.string().describe('When it last changed, ISO 8601 UTC.'),
});

const entrySchema = z.object({
  id: z.string().describe('Id of the entry.'),
  at: z.string().describe('When, ISO 8601 UTC.'),
  kind: z.enum(TIMELINE_KINDS).describe('What happened.'),
  person: personSchema.nullable().describe('Who; null if it was no person, or if they are deleted.'),
  by: z
    .string()
    .nullable()
    .describe('The operator or the part of the product that did it; null for a person.'),
  text: z.string().nullable().describe('A comment, a new title, or the change of an alert; plain text.'),
});

const summaryFields = {
  id: z.string().describe('Id of the incident.'),
  projectId: z.string().describe('Id of the project.'),
  number: z.int().describe('Its number in the project, from 1.'),
  title: z.string().describe('Title, plain text.'),
  severity: z.enum(INCIDENT_SEVERITIES).describe('Severity.'),
  status: z.enum(INCIDENT_STATUSES).describe('Status.'),
  measure: z.string().nullable().describe('Measure of its first alert; null without one.'),
  dimensions: z
    .record(z.string(), z.string())
    .describe('What the calls have in common, such as `{"model": "gpt-4o"}`.'),
  assignee: personSchema.nullable().describe('Who works on it; null for nobody.'),
  startedAt: z.string().describe('When it started, ISO 8601 UTC.'),
  acknowledgedAt: z.string().nullable().describe('When somebody took it up, ISO 8601 UTC; null before.'),
  resolvedAt: z.string().nullable().describe('When it was resolved, ISO 8601 UTC; null before.'),
  healthySince: z
    .string()
    .nullable()
    .describe('Since when all its alerts are healthy, ISO 8601 UTC; null while one fires.'),
  mergedInto: z.string().nullable().describe('Id of the incident that took it over; null for none.'),
};

export const incidentSummarySchema = z
  .object({ ...summaryFields, firing: z.int().describe('Number of its alerts that fire.') })
  .meta({ id: 'IncidentSummary' });
export type IncidentSummary = z.infer<typeof incidentSummarySchema>;

export const incidentSchema = z
  .object({
    ...summaryFields,
    notes: z.string().describe('Notes in Markdown, written by people.'),
    alerts: z.array(alertSchema).describe('Its alerts.'),
    timeline: z.array(entrySchema).describe('What happened, oldest first.'),
    window: z
      .object({
        start: z.string().describe('Start, ISO 8601 UTC.'),
        end: z.string().describe('End, ISO 8601 UTC.'),
      })
      .describe('The window that the root cause explains.'),
    filter: z.string().describe('The calls that it concerns, in the filter language.'),
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof incidentSchema>;

const title = lineOfText(200);
const notes = z.string().max(20_000);
const severity = z.enum(INCIDENT_SEVERITIES);

export const incidentInput = z.strictObject({
  title: title.describe('Title, 1 to 200 characters.'),
  severity: severity.default('warning').describe('Severity. Default: `warning`.'),
  notes: notes.default('').describe('Notes in Markdown, up to 20,000 characters.'),
  measure: z
    .enum(ROOT_CAUSE_MEASURES)
    .optional()
    .describe('What went wrong; the root cause explains its change.'),
  startedAt: z
    .string()
    .refine((text) => parseInstant(text) !== null, 'must be ISO 8601 like 2026-01-31T12:00:00Z')
    .optional()
    .describe('When it started, ISO 8601. Default: now.'),
  dimensions: z
    .partialRecord(
      z.enum(['model', 'provider', 'environment', 'release', 'errorCode']),
      z.string().min(1).max(300),
    )
    .optional()
    .describe('What the calls have in common: model, provider, environment, release or errorCode.'),
  channelIds: z
    .array(z.string().max(100))
    .max(20)
    .default([])
    .describe('Channels that are notified. Default: those that subscribe to incidents.'),
});
export type IncidentInput = z.output<typeof incidentInput>;

export const incidentUpdate = z
  .strictObject({
    title: title.optional().describe('Title, 1 to 200 characters.'),
    severity: severity.optional().describe('Severity.'),
    notes: notes.optional().describe('Notes in Markdown, up to 20,000 characters.'),
    assigneeId: z
      .string()
      .max(100)
      .nullable()
      .optional()
      .describe('Id of the member who works on it; null for nobody.'),
  })
  .refine((given) => Object.keys(given).length > 0, 'change at least one field');
export type IncidentUpdate = z.output<typeof incidentUpdate>;

const comment = z.string().trim().min(1).max(5_000);
const params = z.object({ id: z.string().max(100).describe('Id or number of the incident.') });

export const incidentsPage = z.object({
  incidents: z
    .array(incidentSummarySchema)
    .describe('Incidents: those that are not resolved first, newest first.'),
  nextCursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last one.'),
});

export const listIncidentsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/incidents',
  auth: 'project',
  summary: 'List incidents, those that are not resolved first',
  query: projectQuery.extend({
    status: z
      .enum([...INCIDENT_STATUSES, 'unresolved'])
      .optional()
      .describe('Only incidents of this status; `unresolved`: open and acknowledged.'),
    severity: severity.optional().describe('Only incidents of this severity.'),
    assigneeId: textParam(100).describe('Only incidents of this member.'),
    start: instantParam.describe('Only incidents that started at or after this time, ISO 8601 UTC.'),
    end: instantParam.describe('Only incidents that started until this time, ISO 8601 UTC.'),
    cursor: textParam(100).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most incidents in a page, 1 to 200. Default: 50.'),
  }),
  reply: incidentsPage,
});
export type IncidentsQuery = Omit<z.output<typeof listIncidentsEndpoint.query>, 'projectId'>;

const changed = { auth: 'project', role: 'member', query: projectQuery, reply: incidentSchema } as const;

export const createIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'POST',
  path: '/v1/incidents',
  summary: 'Open an incident by hand',
  status: 201,
  body: incidentInput,
  example: { title: 'Answers of gpt-4o take a minute', severity: 'critical', measure: 'latencyP95' },
});

export const getIncidentEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/incidents/:id',
  auth: 'project',
  summary: 'Get an incident with its alerts and its timeline',
  query: projectQuery,
  params,
  reply: incidentSchema,
});

export const updateIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'PUT',
  path: '/v1/incidents/:id',
  summary: 'Change title, severity, notes or assignee of an incident; what is left out stays',
  params,
  body: incidentUpdate,
  example: { severity: 'warning', notes: 'The provider reports degraded service.' },
});

export const acknowledgeIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'POST',
  path: '/v1/incidents/:id/acknowledge',
  summary: 'Acknowledge an incident; it is assigned to you if nobody has it',
  params,
});

const withText = z.strictObject({ text: comment.optional().describe('A comment, up to 5,000 characters.') });

export const resolveIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'POST',
  path: '/v1/incidents/:id/resolve',
  summary: 'Resolve an incident',
  params,
  body: withText,
  example: { text: 'The provider has fixed it.' },
});

export const reopenIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'POST',
  path: '/v1/incidents/:id/reopen',
  summary: 'Reopen a resolved incident',
  params,
  body: withText,
  example: { text: 'It is slow again.' },
});

export const commentIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'POST',
  path: '/v1/incidents/:id/comments',
  summary: 'Comment on an incident',
  params,
  body: z.strictObject({ text: comment.describe('The comment, 1 to 5,000 characters; plain text.') }),
  example: { text: 'The second region answers in time.' },
});

export const mergeIncidentEndpoint = defineEndpoint({
  ...changed,
  method: 'POST',
  path: '/v1/incidents/:id/merge',
  summary: 'Merge an incident into another one, which takes over its alerts',
  params,
  body: z.strictObject({ into: z.string().min(1).max(100).describe('Id or number of the other incident.') }),
  example: { into: '1' },
});

export const incidentRootCauseEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/incidents/:id/root-cause',
  auth: 'project',
  summary: 'Explain the change of the measure of an incident',
  description:
    'Compares the window of the incident, from the window of its first alert to its end or now and at most 24 hours, with the window of equal length before it, over the calls that it concerns.',
  query: z.object({
    projectId: projectIdParam,
    measure: rootCauseMeasure
      .optional()
      .describe(
        'Another measure. Default: that of its first alert, or the nearest one of the same calls: runs are not figures of single calls. `errorRate` if none is near.',
      ),
  }),
  params,
  reply: rootCauseSchema,
});

export const aiRootCauseEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ai/root-cause',
  auth: 'project',
  limit: 'ai',
  scopes: ['read', 'ai:use'],
  summary: 'Explain an incident',
  description:
    'The reply is that of `GET /v1/incidents/{id}/root-cause`; `summary` says it in words. Needs no model. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  body: z.strictObject({ incidentId: z.string().min(1).max(100).describe('Id or number of the incident.') }),
  example: { incidentId: 'inc_01J8Z3V5K2M4N6P8R0T2W4Y6A8' },
  reply: rootCauseSchema,
});

const duration = (doc: string) =>
  z.number().nullable().describe(`${doc}, in milliseconds; null without any.`);
const weekFields = {
  incidents: z.int().describe('Incidents that started then.'),
  critical: z.int().describe('Critical ones among them.'),
  acknowledged: z.int().describe('Incidents among them that somebody acknowledged.'),
  resolved: z.int().describe('Incidents among them that are resolved.'),
  mttaMs: duration('Mean time from the start to the acknowledgement'),
  mttrMs: duration('Mean time from the start to the resolution'),
};
export const incidentStatsSchema = z.object({
  start: z.string().describe('Start, ISO 8601 UTC.'),
  end: z.string().describe('End, ISO 8601 UTC.'),
  open: z.int().describe('Incidents that are not resolved now, whenever they started.'),
  total: z.object(weekFields).describe('Figures of the whole window.'),
  weeks: z
    .array(z.object({ week: z.string().describe('Monday of the week, UTC, `YYYY-MM-DD`.'), ...weekFields }))
    .describe('Figures by week, oldest first, weeks without incidents included.'),
});
export type IncidentStats = z.infer<typeof incidentStatsSchema>;

export const incidentStatsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/incidents/stats',
  auth: 'project',
  summary: 'Count incidents by week, with mean times to acknowledge and to resolve',
  description: 'Incidents that were merged into others are not counted.',
  query: projectQuery.extend({
    start: instantParam.describe('Start, ISO 8601 UTC. Default: 12 weeks before the end.'),
    end: instantParam.describe('End, ISO 8601 UTC. Default: now.'),
  }),
  reply: incidentStatsSchema,
});

export const incidentSettingsSchema = z.strictObject({
  autoResolveMinutes: z
    .int()
    .min(1)
    .max(10_080)
    .nullable()
    .describe(
      'Minutes for which all alerts of an incident must be healthy before it resolves itself; null: it does not. Default: 15.',
    ),
});
export type IncidentSettings = z.infer<typeof incidentSettingsSchema>;

export const getIncidentSettingsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/incidents/settings',
  auth: 'project',
  summary: "Get the settings of a project's incidents",
  query: projectQuery,
  reply: incidentSettingsSchema,
});

export const putIncidentSettingsEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/incidents/settings',
  auth: 'project',
  role: 'admin',
  summary: "Change the settings of a project's incidents",
  query: projectQuery,
  body: incidentSettingsSchema,
  example: { autoResolveMinutes: 60 },
  reply: incidentSettingsSchema,
});
