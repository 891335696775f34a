import { changePlan } from '../../core/orgs/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { quotaWarned } from '../../core/usage/index.ts';
import { actorOf, follow, type Module } from '../../module.ts';
import { billingEndpoint, projectUsageEndpoint, putBillingEndpoint, usageEndpoint } from './contract.ts';
import { readProjectUsage } from './project-usage.ts';
import { readBilling } from './read-billing.ts';
import { readUsage } from './read-usage.ts';
import { requestMails } from './request-mails.ts';

const usageRoute = route(usageEndpoint, (ctx, _input, { organizationId }) => readUsage(ctx, organizationId));

const projectUsageRoute = route(projectUsageEndpoint, (ctx, _input, organization) =>
  readProjectUsage(ctx, organization),
);

const billingRoute = route(billingEndpoint, (ctx, _input, { organizationId }) =>
  readBilling(ctx, organizationId),
);

const putBillingRoute = route(putBillingEndpoint, async (ctx, input, caller) => {
  await changePlan(ctx, caller, { actor: actorOf(caller, input), ...input.body });
  return readBilling(ctx, caller.organizationId);
});

/** How much of its month an organization has used, and the mails that warn of it. */
export const usageReportModule: Module = {
  name: 'usage-report',
  routes: [usageRoute, projectUsageRoute, billingRoute, putBillingRoute],
  on: [follow(quotaWarned, requestMails)],
};

export { readUsage } from './read-usage.ts';
