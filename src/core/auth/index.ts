import type { Ctx } from '../../context.ts';
import type { Module } from '../../module.ts';
import { accountRoutes } from './account-routes.ts';
import { createUser } from './create-user.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { resetLink } from './reset-link.ts';
import { signInRoutes } from './routes.ts';
import { authOf } from './service.ts';
import { initLedger } from './set-up.ts';

export const authModule: Module = {
  name: 'auth',
  routes: [...signInRoutes, ...oauthRoutes, ...accountRoutes],
  actions: [initLedger, createUser, resetLink],
};

/** Waits for what is still done after replies, before the database is closed. */
export const closeAuth = (ctx: Ctx): Promise<void> => authOf(ctx).idle();

export { createUser } from './create-user.ts';
export { expiredLink, hashToken, newToken } from './links.ts';
export { personStatements, whileUnknown } from './person.ts';
export { limitRequests } from './request-mail.ts';
export { authOf } from './service.ts';
export { createSessionGuard } from './session-guard.ts';
export { initLedger, provision, provisioning } from './set-up.ts';
export { createSetupToken } from './setup-token.ts';
export { allowCookie, originOf, signedIn } from './signed-in.ts';
