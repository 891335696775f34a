import { quotaWarned } from '../../core/events/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import { listen, type Module } from '../../module.ts';
import { usageSchema } from './contract.ts';
import { readCounts, readUsage } from './queries.ts';
import { sendWarnings, sendWarningsJob } from './send-warnings.ts';

const usageRoute = defineRoute({
  method: 'GET',
  path: '/v1/organizations/:id/usage',
  auth: 'organization',
  summary: "What an organization has used of its month's events, with a forecast to its end",
  reply: usageSchema,
  handler: (ctx, _input, { organizationId }) => readUsage(ctx, organizationId),
});

const ofOrganization = { scope: 'organization', by: 'organization_id', readable: true } as const;

export const usageModule: Module = {
  name: 'usage',
  tables: [
    { name: 'usage_months', ...ofOrganization, key: ['month'] },
    { name: 'usage_days', ...ofOrganization, key: ['day'] },
    { name: 'quota_warnings', ...ofOrganization, key: ['month', 'threshold', 'quota'] },
  ],
  routes: [usageRoute],
  reads: [readCounts],
  jobs: [sendWarningsJob],
  on: [
    listen(quotaWarned, (ctx) => {
      sendWarnings(ctx).catch((error: unknown) =>
        ctx.log.warn(
          { err: error },
          'warnings of used up quotas wait for the next run of usage.send_warnings',
        ),
      );
    }),
  ],
};

export { readUsage } from './queries.ts';
