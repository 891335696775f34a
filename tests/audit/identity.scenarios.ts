import { resetLink } from '../../src/core/auth/links/reset-link.ts';
import { TEST_PASSWORD, type TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';
import { linkFor } from '../helpers/links.ts';

const NEW_PASSWORD = 'a new long password';
const ada = ({ seed }: TestApp) => ({ bearer: seed.bearer });

export const scenarios: AuditScenarios = {
  'POST /v1/auth/login': scenario({
    act: ({ fetch, seed }) =>
      fetch('/v1/auth/login', { json: { email: seed.email, password: TEST_PASSWORD } }),
    tells: ['user.signed_in'],
  }),
  'POST /v1/auth/logout': scenario({
    act: (world) => world.fetch('/v1/auth/logout', { ...ada(world), method: 'POST' }),
    tells: ['user.signed_out'],
  }),
  'POST /v1/auth/signup/confirm': scenario({
    prepare: async (world) => {
      await world.reopen({ SIGNUP: 'open' });
      return linkFor(world, 'sign-up', JSON.stringify({ email: 'new@example.com' }));
    },
    act: ({ fetch }, token) => fetch('/v1/auth/signup/confirm', { json: { token, password: NEW_PASSWORD } }),
    tells: ['organization.created', 'member.added', 'user.signed_in'],
  }),
  'POST /v1/auth/reset-password': scenario({
    prepare: (world) => linkFor(world, 'reset', world.seed.userId),
    act: ({ fetch }, token) => fetch('/v1/auth/reset-password', { json: { token, password: NEW_PASSWORD } }),
    tells: ['user.password_reset', 'user.signed_in'],
  }),
  'users.reset_link': scenario({
    act: ({ app, seed }) => app.act(resetLink, { email: seed.email }),
    tells: ['user.reset_link_created'],
  }),
  'POST /v1/auth/change-password': scenario({
    act: (world) =>
      world.fetch('/v1/auth/change-password', {
        ...ada(world),
        json: { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD },
      }),
    tells: ['user.password_changed'],
  }),
  'POST /v1/auth/verify-email': scenario({
    prepare: (world) => linkFor(world, 'verify', world.seed.userId),
    act: ({ fetch }, token) => fetch('/v1/auth/verify-email', { json: { token } }),
    tells: ['user.email_verified'],
  }),
  'POST /v1/auth/change-email/confirm': scenario({
    prepare: (world) =>
      linkFor(world, 'email', JSON.stringify({ userId: world.seed.userId, email: 'new@example.com' })),
    act: (world, token) => world.fetch('/v1/auth/change-email/confirm', { ...ada(world), json: { token } }),
    tells: ['user.email_changed'],
  }),
  'POST /v1/auth/reauthenticate': scenario({
    prepare: async (world) => world.clock.advance(10 * 60_000),
    act: (world) =>
      world.fetch('/v1/auth/reauthenticate', { ...ada(world), json: { password: TEST_PASSWORD } }),
    tells: ['user.reauthenticated'],
  }),
  'POST /v1/auth/delete-account': scenario({
    prepare: (world) => world.addUser('viewer'),
    act: ({ fetch }, { bearer }) =>
      fetch('/v1/auth/delete-account', { bearer, json: { password: TEST_PASSWORD } }),
    tells: ['user.deleted', 'member.left'],
  }),
  'PUT /v1/auth/me': scenario({
    act: (world) => world.fetch('/v1/auth/me', { ...ada(world), method: 'PUT', json: { name: 'Ada L.' } }),
    tells: ['user.renamed'],
  }),
  'PUT /v1/auth/preferences': scenario({
    act: (world) =>
      world.fetch('/v1/auth/preferences', { ...ada(world), method: 'PUT', json: { timeZone: 'Asia/Tokyo' } }),
    tells: ['user.preferences_changed'],
  }),
  'DELETE /v1/auth/sessions': scenario({
    prepare: ({ signIn, seed }) => signIn(seed.email),
    act: (world) => world.fetch('/v1/auth/sessions', { ...ada(world), method: 'DELETE' }),
    tells: ['user.sessions_ended'],
  }),
  'DELETE /v1/auth/sessions/:sessionId': scenario({
    prepare: async (world) => {
      const reply = await world.fetch('/v1/auth/sessions', ada(world));
      return ((await reply.json()) as { sessions: { id: string }[] }).sessions[0]?.id;
    },
    act: (world, id) => world.fetch(`/v1/auth/sessions/${id}`, { ...ada(world), method: 'DELETE' }),
    tells: ['user.sessions_ended'],
  }),
};

const MAIL = 'asks for a mail; what its link does is told when it is used';

export const unaudited: Unaudited = {
  'POST /v1/auth/sign-in/social': 'leads to the provider; who comes back is told by the callback',
  'POST /v1/auth/sign-in/magic-link': MAIL,
  'POST /v1/auth/change-email': MAIL,
  'POST /v1/auth/request-password-reset': MAIL,
  'POST /v1/auth/send-verification-email': MAIL,
  'POST /v1/auth/magic-link/verify':
    'is told as a sign-in by password is, but better-auth redeems the link in a transaction of its own',
};
