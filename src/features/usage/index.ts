import { route } from '../../core/tenancy/index.ts';
import { quotaWarned } from '../../core/usage/index.ts';
import { follow, type Module } from '../../module.ts';
import { usageEndpoint } from './contract.ts';
import { readUsage } from './read-usage.ts';
import { requestMails } from './request-mails.ts';

const usageRoute = route(usageEndpoint, (ctx, _input, { organizationId }) => readUsage(ctx, organizationId));

/** How much of its month an organization has used, and the mails that warn of it. */
export const usageReportModule: Module = {
  name: 'usage-report',
  routes: [usageRoute],
  on: [follow(quotaWarned, requestMails)],
};

export { readUsage } from './read-usage.ts';
