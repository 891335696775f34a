import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { ACCESS_TOKEN, OAUTH_ENV, openIdentityProvider } from '../../helpers/identity-provider.ts';
import { openSmtp, SMTP_SECRET, type TestSmtp, tokenIn } from '../../helpers/smtp.ts';
import { auditRows } from '../audit/rows.ts';

const PASSWORDS = ['canary-password-one', 'canary-password-two', 'canary-password-wrong'];

/** Everything that people do to sign in, right and wrong. Gives what is secret of it, and all replies. */
async function live(
  world: TestApp,
  smtp: TestSmtp,
  lines: readonly string[],
): Promise<{ secrets: string[]; replies: string[] }> {
  const [first = '', second = '', wrong = ''] = PASSWORDS;
  const secrets = [...PASSWORDS, TEST_PASSWORD, SMTP_SECRET, ACCESS_TOKEN];
  const replies: string[] = [];
  const { bearer, email, organizationId, projectId, apiKey } = world.seed;
  const ask = async (path: string, json: object, by?: string): Promise<Record<string, string>> => {
    const reply = await world.fetch(path, { json, ...(by === undefined ? {} : { bearer: by }) });
    const body = (await reply.json().catch(() => ({}))) as Record<string, string>;
    // What a reply is for, it may hold: the new token, the new key.
    const { token, apiKey: made, ...rest } = body;
    secrets.push(...[token, made].filter((secret) => typeof secret === 'string'));
    replies.push(JSON.stringify(rest));
    return body;
  };
  const mailed = async (kind: string, to: string): Promise<string> => {
    const token = tokenIn(await smtp.next(to), kind);
    secrets.push(token);
    return token;
  };
  secrets.push(bearer, apiKey);
  await ask('/v1/auth/login', { email, password: wrong });
  await ask('/v1/auth/login', { email, password: { canary: wrong } });
  await ask('/v1/auth/change-password', { currentPassword: TEST_PASSWORD, newPassword: first }, bearer);
  await ask('/v1/auth/request-password-reset', { email });
  await smtp.next(email);
  const reset = await mailed('reset', email);
  for (let use = 0; use < 2; use++) await ask('/v1/auth/reset-password', { token: reset, password: second });
  const { token: now = '' } = await ask('/v1/auth/login', { email, password: second });
  await ask('/v1/auth/sign-in/magic-link', { email });
  const magic = await mailed('magic', email);
  for (let use = 0; use < 2; use++) await ask('/v1/auth/magic-link/verify', { token: magic });
  await ask('/v1/auth/signup', { email: 'new@example.com', password: first });
  const signUp = await mailed('sign-up', 'new@example.com');
  for (let use = 0; use < 2; use++) await ask('/v1/auth/signup/confirm', { token: signUp, password: first });
  const invitations = `/v1/organizations/${organizationId}/invitations`;
  await ask(invitations, { email: 'else@example.com', role: 'viewer' }, now);
  const invitation = await mailed('invite', 'else@example.com');
  for (let use = 0; use < 2; use++)
    await ask('/v1/invitations/sign-up', { token: invitation, password: first });
  await ask(`/v1/projects/${projectId}/keys`, { name: 'ci' }, now);
  await world.fetch('/v1/sdk/config', { apiKey: `${apiKey.slice(0, -1)}x` });
  // A mail that can't be sent, and a change that can't be told.
  smtp.refuse(550);
  await ask('/v1/auth/request-password-reset', { email });
  await eventually('the refusal in the log', () => lines.some((line) => line.includes('550')));
  const broken = "CREATE TRIGGER broken BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no room'); END";
  await world.ctx.db.writer.write(sqlOp, [{ sql: broken, args: [] }]);
  await ask('/v1/auth/change-password', { currentPassword: second, newPassword: first }, now);
  await ask(`/v1/projects/${projectId}/keys`, { name: 'broken' }, now);
  return { secrets, replies };
}

test('no password, token, key or secret of a setting is in a log, a reply, the audit log or the file', async () => {
  const [smtp, provider] = [await openSmtp(), openIdentityProvider()];
  const lines: string[] = [];
  const secret = 'canary secret of the tests, 32 characters or more';
  const env = {
    ...OAUTH_ENV,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'ledger@example.com',
    SIGNUP: 'open',
    BETTER_AUTH_SECRET: secret,
  };
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const world = await openTestApp({ now: Date.now(), env, log });
  const { secrets, replies } = await live(world, smtp, lines);
  const rows = JSON.stringify(await auditRows(world.ctx));
  const folder = dirname(world.ctx.db.path);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
  await world.close();
  provider.close();
  await smtp.close();
  expect(lines.length).toBeGreaterThan(10);
  expect(files.join('')).toContain('new@example.com');
  expect(secrets.length).toBeGreaterThan(15);
  const settings = [secret, OAUTH_ENV.GITHUB_CLIENT_SECRET, OAUTH_ENV.GOOGLE_CLIENT_SECRET];
  for (const canary of [...secrets, ...settings]) {
    const places = { log: lines.join(''), reply: replies.join(''), audit: rows, file: files.join('') };
    const found = Object.entries(places).filter(([, text]) => text.includes(canary));
    expect([canary, found.map(([place]) => place)]).toEqual([canary, []]);
  }
});
