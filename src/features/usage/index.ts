import { route } from '../../core/tenancy/index.ts';
import { quotaWarned } from '../../core/usage/index.ts';
import { listen, type Module } from '../../module.ts';
import { usageEndpoint } from './contract.ts';
import { readUsage } from './read-usage.ts';
import { sendWarnings, sendWarningsJob } from './send-warnings.ts';

const usageRoute = route(usageEndpoint, (ctx, _input, { organizationId }) => readUsage(ctx, organizationId));

/** How much of its month an organization has used, and the mails that warn of it. */
export const usageReportModule: Module = {
  name: 'usage-report',
  routes: [usageRoute],
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

export { readUsage } from './read-usage.ts';
