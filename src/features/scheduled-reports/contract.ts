import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../core/deliveries/contract.ts';
import { displayName } from '../../core/orgs/contract.ts';
import { defineEndpoint, organizationQuery } from '../../core/tenancy/contract.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import { reportFiguresSchema } from './figures/contract.ts';

export const REPORT_PERIODS = ['day', 'week', 'month'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];
export const RUN_TRIGGERS = ['schedule', 'person'] as const;
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'skipped'] as const;

const MAX_RECIPIENTS = 50;
const MAX_CHANNELS = 10;
const MAX_DIMENSIONS = 4;
const LAST_DAY_OF_ALL_MONTHS = 28;

/** What the costs of a report are split by. */
export const REPORT_DIMENSIONS = ['model', 'provider', 'userId', 'environment', 'agent', 'release'] as const;
const dimension = z.union(
  [
    z.enum(REPORT_DIMENSIONS),
    z
      .string()
      .regex(/^tag:.{1,200}$/s)
      .transform((name) => name as `tag:${string}`),
  ],
  { error: `must be one of ${REPORT_DIMENSIONS.join(', ')} or tag:NAME` },
);
export type ReportDimension = z.output<typeof dimension>;

const ids = (max: number) =>
  z
    .array(z.string().min(1).max(100))
    .max(max)
    .transform((list) => [...new Set(list)])
    .default([]);

const schedule = {
  period: z
    .enum(REPORT_PERIODS)
    .describe('What a report covers: the last whole day, week from Monday on, or month in `timeZone`.'),
  day: z
    .int()
    .min(1)
    .max(LAST_DAY_OF_ALL_MONTHS)
    .default(1)
    .describe('When a report is sent: weekday 1 (Monday) to 7, or day of the month 1 to 28. Default: 1.'),
  hour: z.int().min(0).max(23).default(8).describe('Hour of the day in `timeZone`, 0 to 23. Default: 8.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')
    .default('UTC')
    .describe('Time zone of the period and the hour, such as `Europe/Berlin`. Default: `UTC`.'),
};
const subject = {
  projectId: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('Id of the project; null for all projects of the organization. Default: null.'),
  environment: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Only calls of this environment; null for all. Default: null.'),
  groupBy: z
    .array(dimension)
    .max(MAX_DIMENSIONS)
    .transform((list) => [...new Set(list)])
    .default(['model'])
    .describe(
      `What costs are split by, up to ${MAX_DIMENSIONS}: ${REPORT_DIMENSIONS.join(', ')} or \`tag:NAME\`. Default: \`["model"]\`. \`userId\` needs a project.`,
    ),
};

/** Body of `POST` and `PUT /v1/scheduled-reports`. */
export const reportInputSchema = z
  .strictObject({
    name: displayName.describe('Name of the report, unique in the organization.'),
    ...subject,
    ...schedule,
    memberIds: ids(MAX_RECIPIENTS).describe(
      `Ids of members who get the report by mail, at most ${MAX_RECIPIENTS}.`,
    ),
    channelIds: ids(MAX_CHANNELS).describe(`Ids of channels that get it, at most ${MAX_CHANNELS}.`),
    paused: z.boolean().default(false).describe('Whether the schedule rests. Default: false.'),
  })
  .refine(({ period, day }) => period !== 'week' || day <= 7, {
    path: ['day'],
    message: 'must be 1 (Monday) to 7 for a week',
  })
  .refine(({ projectId, groupBy }) => projectId !== null || !groupBy.includes('userId'), {
    path: ['groupBy'],
    message: 'userId needs a project, because users belong to one',
  })
  .refine(({ memberIds, channelIds }) => memberIds.length + channelIds.length > 0, {
    path: ['memberIds'],
    message: 'name at least one member or channel that gets the report',
  });
export type ReportInput = z.output<typeof reportInputSchema>;

const time = z.string().nullable();

const recipient = z.object({
  userId: z.string().describe('Id of the person.'),
  name: z.string().nullable().describe('Their name; null if they are not a member any more.'),
  email: z.string().nullable().describe('Their address; null if they are not a member any more.'),
  unsubscribedAt: time.describe('When they unsubscribed, ISO 8601 UTC; null while they get it.'),
});

const mailState = z.object({
  userId: z.string().describe('Id of the person.'),
  email: z.string().nullable().describe('Their address; null if they are not a member any more.'),
  status: z
    .enum(MAIL_STATUSES)
    .describe(
      '`pending`: waits for its first or next attempt. `skipped`: the person may not get it any more.',
    ),
  error: z.string().nullable().describe('Why it was not sent, or why the last attempt failed; else null.'),
  finishedAt: time.describe('When it was sent or given up, ISO 8601 UTC; null while it is pending.'),
});

export const reportRunSchema = z
  .object({
    id: z.string().describe('Id of the run.'),
    trigger: z.enum(RUN_TRIGGERS).describe('`schedule`, or `person` for one that somebody sent.'),
    at: z.string().describe('When it was made, ISO 8601 UTC.'),
    costUsd: z
      .number()
      .nullable()
      .describe('Cost of the period when the report was made, in USD; null if no call had a price.'),
    unpriced: z
      .number()
      .describe('Calls of the period without a known price; the cost does not include them.'),
    start: z.string().describe('Start of the period, ISO 8601 UTC, inclusive.'),
    end: z.string().describe('End of the period, ISO 8601 UTC, inclusive.'),
    mails: z.array(mailState).describe('Mails to members.'),
    deliveries: z
      .array(
        z.object({
          id: z.string().describe('Id of the delivery.'),
          channel: z.string().describe('Name of the channel.'),
          status: z.enum(DELIVERY_STATUSES).describe('State of the delivery.'),
        }),
      )
      .describe('Deliveries to channels. They are kept for 30 days after they ended.'),
  })
  .meta({ id: 'ScheduledReportRun' });
export type ReportRun = z.infer<typeof reportRunSchema>;

export const scheduledReportSchema = z
  .object({
    id: z.string().describe('Id of the report.'),
    organizationId: z.string().describe('Id of the organization.'),
    name: z.string().describe('Name of the report.'),
    projectId: z.string().nullable().describe('Id of the project; null for all projects.'),
    environment: z.string().nullable().describe('Only calls of this environment; null for all.'),
    groupBy: z.array(z.string()).describe('What costs are split by.'),
    period: z.enum(REPORT_PERIODS).describe('What a report covers.'),
    day: z.int().describe('Weekday 1 (Monday) to 7, or day of the month.'),
    hour: z.int().describe('Hour of the day in `timeZone`.'),
    timeZone: z.string().describe('Time zone of the period and the hour.'),
    recipients: z.array(recipient).describe('People who get it by mail.'),
    channelIds: z.array(z.string()).describe('Ids of channels that get it.'),
    paused: z.boolean().describe('Whether the schedule rests.'),
    nextAt: time.describe('When it is sent next, ISO 8601 UTC; null while it is paused.'),
    lastRunAt: time.describe('When it was made last, ISO 8601 UTC; null if never.'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was changed last, ISO 8601 UTC.'),
  })
  .meta({ id: 'ScheduledReport' });
export type ScheduledReport = z.infer<typeof scheduledReportSchema>;

const reportParams = z.object({ id: z.string().max(100).describe('Id of the report.') });
// Reports show who gets them, so access tokens do not admit to them.
const ofOrganization = { auth: 'organization', scopes: [], query: organizationQuery } as const;

export const listReportsEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/scheduled-reports',
  summary: 'List scheduled reports with their recipients and the next run',
  reply: z.object({
    reports: z.array(scheduledReportSchema).describe('Reports of the organization, by name.'),
    nextCursor: z.null().describe('Always null: an organization has at most 50 reports.'),
  }),
});

export const getReportEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/scheduled-reports/:id',
  summary: 'Get one scheduled report',
  params: reportParams,
  reply: scheduledReportSchema,
});

export const listRunsEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/scheduled-reports/:id/runs',
  summary: 'List the newest 20 runs of a report with their mails and deliveries',
  description: 'Runs are kept for 400 days.',
  params: reportParams,
  reply: z.object({ runs: z.array(reportRunSchema).describe('Runs, newest first.') }),
});

export const createReportEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/scheduled-reports',
  role: 'admin',
  summary: 'Create a report of costs that is sent every day, week or month',
  body: reportInputSchema,
  example: {
    name: 'Weekly costs',
    period: 'week',
    timeZone: 'Europe/Berlin',
    groupBy: ['model', 'tag:feature'],
    memberIds: ['USER_ID'],
  },
  reply: scheduledReportSchema,
  status: 201,
});

export const updateReportEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'PUT',
  path: '/v1/scheduled-reports/:id',
  role: 'admin',
  summary: 'Replace a scheduled report; people who unsubscribed stay unsubscribed',
  params: reportParams,
  body: reportInputSchema,
  example: { name: 'Monthly costs', period: 'month', hour: 7, memberIds: ['USER_ID'] },
  reply: scheduledReportSchema,
});

export const deleteReportEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'DELETE',
  path: '/v1/scheduled-reports/:id',
  role: 'admin',
  summary: 'Delete a scheduled report with its runs',
  params: reportParams,
  status: 204,
});

export const sendReportEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/scheduled-reports/:id/send',
  role: 'admin',
  summary: 'Send the report of the last whole period now; the schedule stays',
  params: reportParams,
  reply: reportRunSchema,
  status: 201,
});

export const previewReportEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/scheduled-reports/preview',
  summary: 'Show the report of the last whole period without sending it',
  body: z
    .strictObject({ ...subject, ...schedule })
    .refine(({ projectId, groupBy }) => projectId !== null || !groupBy.includes('userId'), {
      path: ['groupBy'],
      message: 'userId needs a project, because users belong to one',
    }),
  example: { period: 'week', groupBy: ['model'] },
  reply: reportFiguresSchema,
});

const ownReport = z.object({
  id: z.string().describe('Id of the report.'),
  name: z.string().describe('Name of the report.'),
  organization: z.string().describe('Name of the organization.'),
  subscribed: z.boolean().describe('Whether you get it by mail.'),
});
export type OwnReport = z.infer<typeof ownReport>;

export const listOwnReportsEndpoint = defineEndpoint({
  auth: 'session',
  method: 'GET',
  path: '/v1/auth/scheduled-reports',
  summary: 'List the reports that are mailed to you',
  reply: z.object({ reports: z.array(ownReport).describe('Reports of your organizations, by name.') }),
});

export const putOwnReportEndpoint = defineEndpoint({
  auth: 'session',
  method: 'PUT',
  path: '/v1/auth/scheduled-reports/:id',
  summary: 'Unsubscribe from a report, or subscribe again',
  params: reportParams,
  body: z.strictObject({ subscribed: z.boolean().describe('Whether you want to get it by mail.') }),
  example: { subscribed: false },
  status: 204,
});
