import { listen, type Module } from '../../module.ts';
import { organizationsChanged } from '../orgs/index.ts';
import { projectsChanged } from '../projects/index.ts';
import { createTokenAction, revokeTokenAction } from './actions.ts';
import { tokenRoutes } from './routes.ts';
import { dropTokens, tokenServices } from './service.ts';
import { accessTokensChanged } from './tokens-changed.ts';

/** Bearer tokens with scopes, for machines that read or work. */
export const accessTokensModule: Module = {
  name: 'access-tokens',
  tables: [
    {
      name: 'access_tokens',
      scope: 'organization',
      by: 'organization_id',
      alsoBy: 'project_id',
      key: ['id'],
      // Listed for a while after it ended.
      retention: { ends: 'min(ifnull(expires_at, 9e15), ifnull(revoked_at, 9e15))', keptDays: 30 },
    },
  ],
  routes: tokenRoutes,
  actions: [createTokenAction, revokeTokenAction],
  services: tokenServices,
  on: [
    listen(accessTokensChanged, dropTokens),
    listen(organizationsChanged, dropTokens),
    listen(projectsChanged, dropTokens),
  ],
};

export { createTokenAction, revokeTokenAction } from './actions.ts';
export { admitToken, requireOrganizationReach, requireProjectReach } from './admit-token.ts';
export { listTokens } from './queries.ts';
export { readAccessToken } from './secret.ts';
