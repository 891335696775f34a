import { defineCommand } from '../command.ts';
import { orgOption } from '../prices/fields.ts';
import { withApp } from '../session.ts';

export const domainsList = defineCommand({
  name: 'domains list',
  summary: 'List the domains whose people join an organization by single sign-on',
  options: orgOption,
  examples: ['spanledger domains list', 'spanledger domains list --org acme --json'],
  run: async (ctx) => {
    const { org } = ctx.options;
    const [{ findOrganization }, { listDomains }] = await Promise.all([
      import('../../src/core/orgs/index.ts'),
      import('../../src/core/auth/index.ts'),
    ]);
    const domains = await withApp(ctx, async ({ ctx: app }) =>
      listDomains(app, org === undefined ? undefined : (await findOrganization(app, org)).id),
    );
    ctx.output.result({ domains }, () => {
      if (domains.length === 0)
        return ctx.output.info('No domains yet; set one with `spanledger domains set`');
      ctx.output.table(
        [
          { header: 'domain', value: ({ domain }) => domain, fixed: true },
          { header: 'organization', value: ({ organizationName }) => organizationName },
          { header: 'provider', value: ({ provider }) => provider },
          { header: 'role', value: ({ role }) => role },
          { header: 'sign-on', value: ({ ssoRequired }) => (ssoRequired ? 'required' : 'optional') },
        ],
        domains,
      );
      for (const { domain, provider, providerName } of domains)
        if (providerName === null)
          ctx.output.warn(`${domain}: the provider ${provider} is not configured (OIDC_ISSUERS)`);
    });
  },
});
