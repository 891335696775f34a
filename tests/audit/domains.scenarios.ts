import { removeDomain, setDomain } from '../../src/core/auth/domains/change-domain.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario } from '../helpers/audit.ts';
import { OAUTH_ENV } from '../helpers/identity-provider.ts';

const domain = 'acme.example';
const set = ({ app }: TestApp) =>
  app.act(setDomain, {
    domain,
    organization: 'Acme',
    provider: 'google',
    role: 'member',
    ssoRequired: false,
  });
const withGoogle = (world: TestApp) => world.reopen(OAUTH_ENV);

export const scenarios: AuditScenarios = {
  'domains.set': scenario({ prepare: withGoogle, act: set, tells: ['organization.domain_set'] }),
  'domains.remove': scenario({
    prepare: async (world) => {
      await withGoogle(world);
      await set(world);
    },
    act: ({ app }) => app.act(removeDomain, { domain }),
    tells: ['organization.domain_removed'],
  }),
};
