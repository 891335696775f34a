import { listen, type Module } from '../../module.ts';
import { organizationsChanged } from '../orgs/index.ts';
import { projectsChanged } from '../projects/index.ts';
import { accountRoutes } from './account-routes.ts';
import { resetLink } from './links/reset-link.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { signInRoutes } from './routes.ts';
import { authOf, authServices } from './service.ts';
import { createUser } from './sign-up/create-user.ts';
import { initLedger } from './sign-up/set-up.ts';

export const authModule: Module = {
  name: 'auth',
  routes: [...signInRoutes, ...oauthRoutes, ...accountRoutes],
  actions: [initLedger, createUser, resetLink],
  services: authServices,
  on: [
    listen(organizationsChanged, (ctx) => authOf(ctx).sessions.dropAll()),
    listen(projectsChanged, (ctx) => authOf(ctx).sessions.dropMemberships()),
  ],
};

export { expiredLink, hashToken, newToken } from './links/links.ts';
export { limitRequests } from './links/request-mail.ts';
export { personStatements, whileUnknown } from './person.ts';
export { authOf } from './service.ts';
export { createSessionGuard } from './sessions/session-guard.ts';
export { allowCookie, originOf, signedIn } from './sign-in/signed-in.ts';
export { createUser } from './sign-up/create-user.ts';
export { initLedger, provision, provisioning } from './sign-up/set-up.ts';
export { createSetupToken } from './sign-up/setup-token.ts';
