import { z } from 'zod';
import { domainRow } from '../../src/core/auth/domains/contract.ts';
import { INVITED_ROLES } from '../../src/core/orgs/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { act } from '../session.ts';

export const domainsSet = defineCommand({
  name: 'domains set',
  summary: 'Let people with an email address of a domain join an organization by single sign-on',
  args: { domain: { summary: 'Domain of the addresses, such as example.com' } },
  options: {
    provider: {
      value: 'ID',
      summary: 'Id of an issuer in OIDC_ISSUERS, or google or github',
      type: z.string(),
      required: true,
    },
    role: { value: 'ROLE', summary: 'Role of people who join', choices: INVITED_ROLES, default: 'member' },
    requireSso: { summary: 'Refuse passwords, magic links and other providers for these addresses' },
    org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' },
  },
  examples: [
    'spanledger domains set example.com --provider keycloak',
    'spanledger domains set example.com --provider keycloak --require-sso',
  ],
  run: async (ctx) => {
    const { provider, role, requireSso, org } = ctx.options;
    const organization = await chooseOrganization(ctx, org);
    const input = { domain: ctx.args.domain, organization, provider, role, ssoRequired: requireSso };
    const doc = await act(ctx, { action: 'domains.set', input, reply: domainRow });
    ctx.output.result(doc, () => {
      const name = doc.providerName ?? doc.provider;
      ctx.output.success(
        `People at ${doc.domain} join ${doc.organizationName} as ${doc.role} by ${name}${doc.ssoRequired ? ', and must sign in with it' : ''}`,
      );
      if (doc.ssoRequired)
        ctx.output.info(
          'If the issuer fails: `users reset-link EMAIL` signs a person in once; without --require-sso this command lifts the rule',
        );
    });
  },
});
