import { resetFactors } from '../../src/core/auth/two-factor/reset-factors.ts';
import { requireSecondFactorAction } from '../../src/core/orgs/index.ts';
import { outbox } from '../../src/core/outbox/table.ts';
import { TEST_PASSWORD, type TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';
import { createAuthenticator } from '../helpers/authenticator.ts';
import { eventually } from '../helpers/eventually.ts';
import { addApp, addPasskey, startSignIn } from '../helpers/factors.ts';
import { appCode } from '../helpers/totp.ts';

const asOwner = (world: TestApp, path: string, json: object, method = 'POST'): Promise<Response> =>
  world.fetch(path, { bearer: world.seed.bearer, json, method });
const begin = async <T>(world: TestApp, path: string): Promise<T> =>
  (await (await asOwner(world, path, { password: TEST_PASSWORD })).json()) as T;

/** After the mails about it are gone, which leave the outbox on their own time. */
const settled = async <T>(world: TestApp, made: Promise<T>): Promise<T> => {
  const result = await made;
  await eventually('an empty outbox', async () => (await world.ctx.db.sql.$count(outbox)) === 0);
  return result;
};
const withApp = (world: TestApp) => settled(world, addApp(world, world.seed.bearer));
const withPasskey = async (world: TestApp): Promise<string> =>
  (await settled(world, addPasskey(world, world.seed.bearer))).passkey.id;

export const scenarios: AuditScenarios = {
  'POST /v1/auth/two-factor/totp/confirm': scenario({
    prepare: (world) => begin<{ secret: string; enrolment: string }>(world, '/v1/auth/two-factor/totp'),
    act: (world, { secret, enrolment }) => {
      const code = appCode(secret, world.clock.now());
      return asOwner(world, '/v1/auth/two-factor/totp/confirm', {
        ...{ enrolment, code, password: TEST_PASSWORD },
      });
    },
    tells: ['user.totp_added'],
  }),
  'POST /v1/auth/two-factor/totp/remove': scenario({
    prepare: withApp,
    act: (world) => asOwner(world, '/v1/auth/two-factor/totp/remove', { password: TEST_PASSWORD }),
    tells: ['user.totp_removed'],
  }),
  'POST /v1/auth/two-factor/recovery-codes': scenario({
    prepare: withApp,
    act: (world) => asOwner(world, '/v1/auth/two-factor/recovery-codes', { password: TEST_PASSWORD }),
    tells: ['user.recovery_codes_replaced'],
  }),
  'POST /v1/auth/login/second-factor': scenario({
    prepare: async (world) => {
      const { recoveryCodes } = await withApp(world);
      const { challenge } = await startSignIn(world, world.seed.email);
      return { challenge, recoveryCode: recoveryCodes?.[0] };
    },
    act: (world, json) => world.fetch('/v1/auth/login/second-factor', { json }),
    tells: ['user.recovery_code_used', 'user.signed_in'],
  }),
  'POST /v1/auth/passkeys': scenario({
    prepare: async (world) => {
      type Begun = { options: { challenge: string } };
      const { options } = await begin<Begun>(world, '/v1/auth/passkeys/options');
      return createAuthenticator().create(options);
    },
    act: (world, response) => asOwner(world, '/v1/auth/passkeys', { name: 'Laptop', response }),
    tells: ['user.passkey_added'],
  }),
  'PUT /v1/auth/passkeys/:passkeyId': scenario({
    prepare: withPasskey,
    act: (world, id) => asOwner(world, `/v1/auth/passkeys/${id}`, { name: 'Phone' }, 'PUT'),
    tells: ['user.passkey_renamed'],
  }),
  'POST /v1/auth/passkeys/:passkeyId/remove': scenario({
    prepare: withPasskey,
    act: (world, id) => asOwner(world, `/v1/auth/passkeys/${id}/remove`, { password: TEST_PASSWORD }),
    tells: ['user.passkey_removed'],
  }),
  'users.reset_factors': scenario({
    prepare: withApp,
    act: ({ app, seed }) => app.act(resetFactors, { email: seed.email }),
    tells: ['user.second_factors_reset'],
  }),
  'PUT /v1/organizations/:id/second-factor': scenario({
    prepare: withApp,
    act: (world) => {
      const path = `/v1/organizations/${world.seed.organizationId}/second-factor`;
      return asOwner(world, path, { required: true }, 'PUT');
    },
    tells: ['organization.second_factor_required'],
  }),
  'orgs.require_second_factor': scenario({
    act: ({ app }) => app.act(requireSecondFactorAction, { organization: 'Acme', required: true }),
    tells: ['organization.second_factor_required'],
  }),
};

const ASKS = 'gives a challenge or a secret and stores nothing';

export const unaudited: Unaudited = {
  'POST /v1/auth/two-factor/totp': ASKS,
  'POST /v1/auth/passkeys/options': ASKS,
  'POST /v1/auth/passkeys/sign-in/options': ASKS,
  'POST /v1/auth/login/second-factor/options': ASKS,
  'POST /v1/auth/reauthenticate/options': ASKS,
  'POST /v1/auth/passkeys/sign-in':
    'its challenge is used up even if the sign-in cannot be told; tests/core/auth/two-factor has a test of the entry',
};
