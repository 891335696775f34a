import { z } from 'zod';
import { instantParam, textParam } from '../../core/events/contract.ts';
import { defineEndpoint, projectIdParam, projectQuery } from '../../core/tenancy/contract.ts';
import { alertFields, alertInput } from './rule/contract.ts';

export {
  type AlertDraft,
  type AlertInput,
  type AlertMeasure,
  alertInput,
  type CallMeasure,
} from './rule/contract.ts';

/** States of a group, and of an alert the worst of its groups. */
export const ALERT_STATES = ['ok', 'pending', 'warning', 'critical', 'no_data'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Why a group has its state, where the value alone does not say it. */
export const REASONS = [
  'few_requests',
  'no_requests',
  'unpriced',
  'learning',
  'no_baseline',
  'gone',
  'late_events',
  'rule_changed',
] as const;
export type Reason = (typeof REASONS)[number];

const iso = (doc: string) => z.string().describe(`${doc}, ISO 8601 UTC.`);
const state = z.enum(ALERT_STATES);
const value = z.number().nullable().describe('The value, in the unit of the measure; null without one.');
const threshold = z
  .number()
  .nullable()
  .describe('The bound that it was compared with: of the state it has, or of the next worse one.');
const baseline = z
  .number()
  .nullable()
  .describe('The earlier value, or the median of an anomaly; null for a threshold and without one.');
const reason = z
  .enum(REASONS)
  .nullable()
  .describe(
    'Why, where the value does not say it: `few_requests` (below `minRequests`), `no_requests`, `unpriced` (the cost of calls without a known price would decide, so that the state stays), `learning` (an anomaly with too little history), `no_baseline` (no earlier value, or it is 0), `gone` (no calls for 24 hours), `late_events` (late events changed the window), `rule_changed`.',
  );
/**
 * How much of a cost is known: calls of the window without a price, and all of them. Of a cost of runs, the runs with such
 * a call, and all runs. Null for a measure that is no cost.
 */
export type Priced = { readonly unpriced: number | null; readonly calls: number | null };

const priced = {
  unpriced: z
    .int()
    .nullable()
    .describe(
      'Calls of the window without a known price, which the cost leaves out: the value is then a minimum, by which no low cost is judged. For costs of runs, the runs with such a call. Null for a measure that is no cost, and where it is not known.',
    ),
  calls: z
    .int()
    .nullable()
    .describe('All calls, or runs, of the window, with and without a price; null where `unpriced` is.'),
};
const group = z
  .string()
  .nullable()
  .describe('Value of the dimension; empty for calls without one, null for an alert without groups.');

export const alertSchema = z
  .object({
    id: z.string().describe('Id of the alert.'),
    organizationId: z.string().describe('Id of the organization.'),
    projectId: z.string().describe('Id of the project.'),
    ...alertFields,
    state: state.describe('The worst state of its groups.'),
    groups: z
      .object({
        critical: z.int().describe('Groups that are critical.'),
        warning: z.int().describe('Groups with a warning.'),
        pending: z.int().describe('Groups whose condition holds, but not for long enough.'),
        noData: z.int().describe('Groups without calls, where the rule notifies of that.'),
        total: z.int().describe('Groups that were judged.'),
        left: z.int().describe('Groups that were left out, because only the 1,000 largest are judged.'),
        unpriced: z.int().describe('Groups whose cost leaves out calls without a known price.'),
      })
      .describe('Number of groups by state.'),
    value: value.describe('Value of the worst group; null without one.'),
    worstGroup: group.describe('That group; null for an alert without groups.'),
    ...priced,
    trend: z
      .object({
        end: iso('Time of the last value'),
        stepMinutes: z.int().describe('Minutes between two values.'),
        values: z.array(value).describe('The values, the newest last.'),
      })
      .nullable()
      .describe('The value over the last day; null before the first evaluation.'),
    evaluatedAt: iso('End of the last window that was judged')
      .nullable()
      .describe('End of the last window that was judged, ISO 8601 UTC; null before the first.'),
    error: z
      .object({ message: z.string().describe('What is wrong.'), since: iso('Since when') })
      .nullable()
      .describe('Why the last evaluation failed; null if it did not.'),
    silencedUntil: z
      .string()
      .nullable()
      .describe('Until when the whole alert is silenced, ISO 8601 UTC; null if it is not.'),
    createdBy: z.string().nullable().describe('Name of the person who created it; null if unknown.'),
    createdAt: iso('When it was created'),
    updatedAt: iso('When it was changed last'),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof alertSchema>;
/** One as replies have it. */
export type SentAlert = z.input<typeof alertSchema>;

export const groupStateSchema = z.object({
  group,
  state: state.describe('State of the group.'),
  since: iso('Since when it has the state'),
  value,
  ...priced,
  threshold,
  baseline,
  reason,
  silencedUntil: z.string().nullable().describe('Until when it is silenced, ISO 8601 UTC; else null.'),
});
export type GroupState = z.infer<typeof groupStateSchema>;

export const alertDetailSchema = alertSchema.extend({
  states: z.array(groupStateSchema).describe('Groups that are not ok, the worst first.'),
});
export type AlertDetail = z.infer<typeof alertDetailSchema>;

export const historyEntrySchema = z
  .object({
    id: z.string().describe('Id of the entry.'),
    group,
    at: iso('End of the window that showed the state'),
    recordedAt: iso('When it was judged'),
    from: state.describe('State before.'),
    to: state.describe('State after.'),
    value,
    ...priced,
    threshold,
    baseline,
    reason,
    notified: z
      .enum(['sent', 'silenced', 'incident', 'none'])
      .describe(
        '`sent`: the channels were notified. `silenced`: a silence held that back. `incident`: the incident notifies. `none`: nobody is notified of such a change.',
      ),
    superseded: z
      .boolean()
      .describe('Whether late events changed the window afterwards, so that this did not hold.'),
  })
  .meta({ id: 'AlertHistoryEntry' });

const alertParams = z.object({ id: z.string().max(100).describe('Id of the alert.') });
const pageParams = {
  cursor: textParam(200).describe('`nextCursor` of the previous page; without one, the first page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Most rows in a page, 1 to 200. Default: 50.'),
};
const nextCursor = z
  .string()
  .nullable()
  .describe('Pass it as `cursor` for the next page; null on the last one.');

export const listAlertsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/alerts',
  auth: 'project',
  summary: 'List the alerts of a project with their states, those that fire first',
  query: z.object({
    projectId: projectIdParam,
    state: z.enum(ALERT_STATES).optional().describe('Only alerts with this state.'),
    filter: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'Filter: all parts must hold. `state:critical,warning`, `measure:errorRate`, `group:model`, `environment:production`, `firing>0`, `silenced:true`; a word or a "quoted text" is looked for in names, measures and filters. Fields: name, state, measure, group, window, kind, value, firing, enabled, silenced, failing, and of the rule\'s filters model, provider, environment, agent, tool.',
      ),
    ...pageParams,
  }),
  reply: z.object({
    alerts: z.array(alertSchema).describe('Alerts: critical, warning, no data, pending, ok; then by name.'),
    totals: z
      .object({
        critical: z.int().describe('Alerts that are critical.'),
        warning: z.int().describe('Alerts with a warning.'),
        pending: z.int().describe('Alerts that are pending.'),
        noData: z.int().describe('Alerts without data.'),
        ok: z.int().describe('Alerts that are ok.'),
        failing: z.int().describe('Alerts whose last evaluation failed.'),
        all: z.int().describe('All alerts of the project.'),
        most: z.int().describe('Most alerts that the project may have.'),
      })
      .describe('Number of alerts of the project, over all pages.'),
    nextCursor,
  }),
});
export type AlertList = z.infer<typeof listAlertsEndpoint.reply>;

export const getAlertEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/alerts/:id',
  auth: 'project',
  summary: 'Get one alert with the states of its groups',
  query: projectQuery,
  params: alertParams,
  reply: alertDetailSchema,
});

const example = {
  name: 'Errors by model',
  measure: 'errorRate',
  groupBy: 'model',
  window: '15m',
  condition: { kind: 'threshold', operator: 'gt', warning: 0.02, critical: 0.05 },
  minRequests: 20,
} as const;

export const createAlertEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/alerts',
  auth: 'project',
  role: 'member',
  summary: 'Create an alert',
  query: projectQuery,
  body: alertInput,
  example,
  reply: alertSchema,
  status: 201,
});

export const updateAlertEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/alerts/:id',
  auth: 'project',
  role: 'member',
  summary: 'Replace an alert',
  description:
    'A change of what is judged (measure, filters, groups, window, condition, minRequests, forMinutes, noData) and disabling it resolve the groups that fire.',
  query: projectQuery,
  params: alertParams,
  body: alertInput,
  example,
  reply: alertSchema,
});

export const deleteAlertEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/alerts/:id',
  auth: 'project',
  role: 'member',
  summary:
    'Delete an alert with its history; channels that were told that it fires are told that it resolved',
  query: projectQuery,
  params: alertParams,
  status: 204,
});

export const alertHistoryEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/alerts/:id/history',
  auth: 'project',
  summary: 'List the changes of state of an alert, newest first',
  query: z.object({
    projectId: projectIdParam,
    group: z.string().max(500).optional().describe('Only this group.'),
    ...pageParams,
  }),
  params: alertParams,
  reply: z.object({
    history: z.array(historyEntrySchema).describe('Changes of state, newest first.'),
    nextCursor,
  }),
});
export type AlertHistory = z.infer<typeof alertHistoryEndpoint.reply>;

export const firingsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/alerts/firings',
  auth: 'project',
  summary: 'List when alerts fired in a time range, for marks on charts',
  query: z.object({
    projectId: projectIdParam,
    start: instantParam.describe('Start, ISO 8601 UTC. Default: 24 hours before the end.'),
    end: instantParam.describe('End, ISO 8601 UTC. Default: now.'),
  }),
  reply: z.object({
    firings: z
      .array(
        z.object({
          alertId: z.string().describe('Id of the alert.'),
          name: z.string().describe('Name of the alert.'),
          measure: alertFields.measure,
          group,
          severity: z.enum(['warning', 'critical']).describe('The worst severity of the time.'),
          from: iso('When it began to fire'),
          to: z.string().nullable().describe('When it ended, ISO 8601 UTC; null while it fires.'),
        }),
      )
      .describe('Times in which a group fired, newest first, at most 500.'),
  }),
});
export type Firings = z.infer<typeof firingsEndpoint.reply>;
