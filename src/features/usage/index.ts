import { route } from '../../core/tenancy/index.ts';
import { quotaWarned } from '../../core/usage/index.ts';
import { follow, type Module } from '../../module.ts';
import { projectUsageEndpoint, usageEndpoint } from './contract.ts';
import { readProjectUsage } from './project-usage.ts';
import { readUsage } from './read-usage.ts';
import { requestMails } from './request-mails.ts';

const usageRoute = route(usageEndpoint, (ctx, _input, { organizationId }) => readUsage(ctx, organizationId));

const projectUsageRoute = route(projectUsageEndpoint, (ctx, _input, organization) =>
  readProjectUsage(ctx, organization),
);

/** How much of its month an organization has used, and the mails that warn of it. */
export const usageReportModule: Module = {
  name: 'usage-report',
  routes: [usageRoute, projectUsageRoute],
  on: [follow(quotaWarned, requestMails)],
};

export { readUsage } from './read-usage.ts';
