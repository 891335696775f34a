import { z } from 'zod';
import { countedWholeField, deletedBeforeField } from '../../../core/events/query/contract.ts';

const amount = (what: string) =>
  z
    .object({
      current: z.number().nullable().describe(`${what} in the period; null if no call tells it.`),
      previous: z.number().nullable().describe(`${what} in the previous period; null if no call tells it.`),
    })
    .describe(`${what}, compared with the previous period.`);

const window = {
  start: z.string().describe('Start of the period, ISO 8601 UTC, inclusive.'),
  end: z.string().describe('End of the period, ISO 8601 UTC, inclusive.'),
};

const path = z
  .string()
  .nullable()
  .describe(
    'Page of the dashboard that shows it for the same period, after the public address; null for none.',
  );

const unpriced = z.number().describe('Calls of the period without a known price; no cost includes them.');

const unpricedBefore = z
  .number()
  .describe('Calls of the previous period without a known price; no cost includes them.');

const group = z.object({
  value: z.string().nullable().describe('Value of the dimension; null for calls without one.'),
  cost: amount('Cost in USD'),
  calls: z.number().describe('Number of calls in the period.'),
  unpriced,
  unpricedBefore,
  path,
});

/** The figures of a report. They come from the query of metrics, as those of the pages do. */
export const reportFiguresSchema = z
  .object({
    ...window,
    timeZone: z.string().describe('Time zone of the period.'),
    previous: z.object(window).describe('The period of equal length just before.'),
    subject: z.string().describe('Name of the project, or of the organization.'),
    projectId: z.string().nullable().describe('Id of the project; null for all projects.'),
    environment: z.string().nullable().describe('Only calls of this environment; null for all.'),
    path,
    cost: amount('Cost in USD'),
    calls: amount('Number of calls'),
    tokens: amount('Input and output tokens'),
    errorRate: amount('Fraction of calls that failed'),
    unpriced,
    unpricedBefore,
    sections: z
      .array(
        z.object({
          by: z.string().describe('Dimension, or `project`.'),
          deletedBefore: deletedBeforeField,
          groups: z.array(group).describe('Groups with the highest cost, at most 5.'),
          others: z
            .object({
              groups: z.int().describe('Number of groups.'),
              cost: amount('Cost in USD'),
              unpriced,
              unpricedBefore,
            })
            .nullable()
            .describe('All other groups together; null if there are none.'),
        }),
      )
      .describe('Costs by project where the report covers several, and by each dimension of the report.'),
    changes: z
      .array(
        z.object({
          by: z.string().describe('Dimension.'),
          value: z.string().nullable().describe('Value of the dimension; null for calls without one.'),
          cost: amount('Cost in USD'),
          unpriced,
          unpricedBefore,
          path,
        }),
      )
      .describe('Groups whose cost changed most, largest change first, at most 5.'),
    unpricedModels: z
      .array(
        z.object({
          model: z.string().nullable().describe('Model; null for calls without one.'),
          provider: z.string().nullable().describe('Provider; null for calls without one.'),
          calls: z.number().describe('Calls without a known price.'),
          tokens: z.number().describe('Their tokens.'),
          path,
        }),
      )
      .describe('Models without a known price, most calls first, at most 5.'),
    budgets: z
      .array(
        z.object({
          id: z.string().describe('Id of the budget.'),
          name: z.string().describe('Name of the budget.'),
          spentUsd: z.number().describe('Spent so far in its current period, in USD.'),
          limitUsd: z.number().describe('Budget of its period in USD.'),
          fraction: z.number().describe('Spent as a fraction of the budget.'),
          exhaustedAt: z
            .string()
            .nullable()
            .describe('When it runs out at this pace, ISO 8601 UTC; null if it does not.'),
        }),
      )
      .describe(
        'Budgets of the project and its organization of which 80% is spent or that run out in their period.',
      ),
    countedWhole: countedWholeField,
    missing: z
      .int()
      .describe('Number of events of the period that are damaged and in no figure (`GET /v1/damage`).'),
  })
  .meta({ id: 'ScheduledReportFigures' });
export type ReportFigures = z.infer<typeof reportFiguresSchema>;
export type Amount = ReportFigures['cost'];
