import { z } from 'zod';
import { defineEndpoint, projectIdParam } from '../../../core/tenancy/contract.ts';
import { ALERT_STATES } from '../contract.ts';
import { alertInput } from '../rule/contract.ts';

export const PREVIEW_DAYS = 30;

const time = (doc: string) => z.string().describe(`${doc}, ISO 8601 UTC.`);
const group = z.string().nullable().describe('Value of the dimension; null for an alert without groups.');

export const previewSchema = z
  .object({
    from: time('First minute that was judged'),
    to: time('Last minute that was judged'),
    stepMinutes: z.int().describe('Minutes between two points of a series.'),
    groups: z.int().describe('Groups that were judged.'),
    firings: z.int().describe('How often a group would have fired.'),
    notifications: z.int().describe('Notifications that the rule would have sent, without renotification.'),
    unpriced: z
      .int()
      .nullable()
      .describe(
        'Calls of the time without a known price, which costs leave out, so that the rule might have fired more often. For costs of runs, the runs with such a call. Null for a measure that is no cost.',
      ),
    calls: z
      .int()
      .nullable()
      .describe('All calls, or runs, that the rule watches in the time; null where `unpriced` is.'),
    note: z
      .string()
      .nullable()
      .describe('What limits the preview, such as a retention shorter than 30 days; null for nothing.'),
    series: z
      .array(
        z.object({
          group,
          points: z
            .array(z.number().nullable())
            .describe(
              'The value every `stepMinutes` from `from` on; of each step the value that comes closest to firing. Null without a value.',
            ),
          baseline: z
            .array(z.number().nullable())
            .nullable()
            .describe('What each point was compared with; null for a threshold.'),
          unpriced: z
            .array(z.int().nullable())
            .nullable()
            .describe(
              'The most calls, or runs, without a known price in a window of the step: with some, a cost is a minimum. Null for a measure that is no cost.',
            ),
        }),
      )
      .describe('The groups that fired most, then those with most calls; at most 10.'),
    spans: z
      .array(
        z.object({
          group,
          state: z.enum(ALERT_STATES).describe('The state.'),
          from: time('Since when the group would have had the state'),
          to: z.string().nullable().describe('Until when, ISO 8601 UTC; null for until the end.'),
          value: z.number().nullable().describe('The value that began it.'),
          unpriced: z
            .int()
            .nullable()
            .describe(
              'Calls, or runs, without a known price in its window; null for a measure that is no cost.',
            ),
          calls: z.int().nullable().describe('All calls, or runs, in its window; null where `unpriced` is.'),
        }),
      )
      .describe('Times in which a group would not have been ok, oldest first; at most 2,000.'),
    omittedSpans: z.int().describe('Number of further times that are not listed.'),
  })
  .meta({ id: 'AlertPreview' });
export type AlertPreview = z.infer<typeof previewSchema>;

export const previewAlertEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/alerts/preview',
  auth: 'project',
  scopes: ['read'],
  summary: 'Show when a rule would have fired in the last 30 days; nothing is saved',
  description:
    'The preview judges every minute of the time as a running alert does. It shows the same states, except where the events are others than those that were judged: events that came more than 60 minutes late, corrected prices, erasures and retention.',
  query: z.object({
    projectId: projectIdParam,
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(PREVIEW_DAYS)
      .default(PREVIEW_DAYS)
      .describe('How many days to look back, 1 to 30. Default: 30.'),
  }),
  body: alertInput,
  example: {
    name: 'Cost of a day',
    measure: 'cost',
    window: '1d',
    condition: { kind: 'change', direction: 'up', percent: 50, compare: 'sameTimeLastWeek' },
  },
  reply: previewSchema,
});
