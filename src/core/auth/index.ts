import { listen, type Module } from '../../module.ts';
import { organizationsChanged } from '../orgs/index.ts';
import { projectsChanged } from '../projects/index.ts';
import { ownAccountRoutes } from './account/own-account-routes.ts';
import { accountRoutes } from './account-routes.ts';
import { removeDomain, setDomain } from './domains/change-domain.ts';
import { domainRoutes } from './domains/domain-routes.ts';
import { resetLink } from './links/reset-link.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { reauthenticateRoutes } from './reauthenticate/reauthenticate-routes.ts';
import { signInRoutes } from './routes.ts';
import { authOf, authServices } from './service.ts';
import { createUser } from './sign-up/create-user.ts';
import { initLedger } from './sign-up/set-up.ts';
import { resetFactors } from './two-factor/reset-factors.ts';
import { twoFactorRoutes } from './two-factor/two-factor-routes.ts';

/** Credentials that expire; a restored backup must not bring them back. */
const shortLived = { retention: { ends: 'expires_at', keptDays: 0 }, backup: false } as const;

export const authModule: Module = {
  name: 'auth',
  tables: [
    { name: 'accounts', scope: 'user', by: 'user_id', key: ['id'] },
    { name: 'sessions', scope: 'user', by: 'user_id', key: ['id'], ...shortLived },
    { name: 'totp_factors', scope: 'user', by: 'user_id', key: ['user_id'] },
    { name: 'recovery_codes', scope: 'user', by: 'user_id', key: ['hash'] },
    { name: 'passkeys', scope: 'user', by: 'user_id', key: ['id'] },
    { name: 'verifications', scope: 'none', key: ['id'], ...shortLived },
    { name: 'email_domains', scope: 'organization', by: 'organization_id', key: ['domain'] },
    { name: 'domain_joins', scope: 'organization', by: 'organization_id', key: ['user_id'] },
    { name: 'setup_tokens', scope: 'none', key: ['hash'], ...shortLived },
  ],
  routes: [
    ...signInRoutes,
    ...oauthRoutes,
    ...accountRoutes,
    ...ownAccountRoutes,
    ...domainRoutes,
    ...twoFactorRoutes,
    ...passkeyRoutes,
    ...reauthenticateRoutes,
  ],
  actions: [initLedger, createUser, resetLink, setDomain, removeDomain, resetFactors],
  services: authServices,
  on: [
    listen(organizationsChanged, (ctx) => authOf(ctx).sessions.dropAll()),
    listen(projectsChanged, (ctx) => authOf(ctx).sessions.dropMemberships()),
  ],
};

export { personDeleted } from './account/delete-account.ts';
export { showPerson } from './account/show-person.ts';
export { claimAccount } from './claim-account.ts';
export { listDomains } from './domains/queries.ts';
export { requireSignInWith } from './domains/require-sign-in.ts';
export { createLink, expiredLink, hashToken, newToken, readLink } from './links/links.ts';
export { limitRequests, requestMail } from './links/request-mail.ts';
export { checkIssuer } from './oauth/check-issuer.ts';
export { readIssuers } from './oauth/issuers.ts';
export { requireOperator } from './operators.ts';
export { hashNewPassword } from './passwords/hash-new-password.ts';
export { setPassword } from './passwords/password.ts';
export { personStatements, whileUnknown } from './person.ts';
export { authOf } from './service.ts';
export { createSessionGuards } from './sessions/session-guard.ts';
export { allowCookie, NO_STORE, originOf, signedIn } from './sign-in/signed-in.ts';
export { createUser } from './sign-up/create-user.ts';
export { initLedger, provision, provisioning } from './sign-up/set-up.ts';
export { createSetupToken } from './sign-up/setup-token.ts';
