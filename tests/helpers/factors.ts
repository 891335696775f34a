import { TEST_PASSWORD, type TestApp } from './app.ts';
import { createAuthenticator } from './authenticator.ts';
import { appCode } from './totp.ts';

/** A person with an authenticator app. */
export type WithApp = {
  readonly recoveryCodes: string[] | null;
  readonly secret: string;
  /** The code that the app shows at the time of the test. */
  code(): string;
};

async function post<T>(world: TestApp, path: string, bearer: string, json: unknown): Promise<T> {
  const reply = await world.fetch(path, { bearer, json });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** Adds an authenticator app to the account of a bearer, with the code of now. */
export async function addApp(world: TestApp, bearer: string, password = TEST_PASSWORD): Promise<WithApp> {
  type Begun = { secret: string; enrolment: string };
  const begun = await post<Begun>(world, '/v1/auth/two-factor/totp', bearer, {});
  const { secret, enrolment } = begun;
  const code = (): string => appCode(secret, world.clock.now());
  const body = { enrolment, code: code(), password };
  const reply = await post<{ recoveryCodes: string[] | null }>(
    world,
    '/v1/auth/two-factor/totp/confirm',
    bearer,
    body,
  );
  return { ...reply, secret, code };
}

/** Adds a passkey to the account of a bearer. */
export async function addPasskey(world: TestApp, bearer: string, name = 'Laptop') {
  const authenticator = createAuthenticator();
  const { options } = await post<{ options: { challenge: string } }>(
    world,
    '/v1/auth/passkeys/options',
    bearer,
    { password: TEST_PASSWORD },
  );
  const made = await post<{ passkey: { id: string; name: string }; recoveryCodes: string[] | null }>(
    world,
    '/v1/auth/passkeys',
    bearer,
    { name, response: authenticator.create(options) },
  );
  return { ...made, authenticator };
}

/** The reply to a first factor of somebody with a second one. */
export type Held = {
  readonly error: string;
  readonly code: string;
  readonly challenge: string;
  readonly expiresAt: string;
  readonly methods: string[];
};

/** Signs in with the password of somebody with a second factor, and returns the challenge. */
export async function startSignIn(world: TestApp, email: string): Promise<Held> {
  const reply = await world.fetch('/v1/auth/login', { json: { email, password: TEST_PASSWORD } });
  if (reply.status !== 401) throw new Error(`login of ${email}: ${reply.status}`);
  return (await reply.json()) as Held;
}
