import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { runJob } from '../../../src/core/jobs/index.ts';
import { expiryNoticeJob } from '../../../src/core/keys/expiry-notice.ts';
import { createKey } from '../../../src/core/keys/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker } from '../../helpers/people.ts';
import { openSmtp, type TestSmtp } from '../../helpers/smtp.ts';

let world: TestApp;
let smtp: TestSmtp;
let ask: ReturnType<typeof asker>;
let base: string;
beforeEach(async () => {
  smtp = await openSmtp();
  world = await openTestApp({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com' } });
  ask = asker(world);
  base = `/v1/projects/${world.seed.projectId}/keys`;
});
afterEach(async () => {
  await world.close();
  await smtp.close();
});

type Made = { id: string; apiKey: string; expiresAt: string | null };
type Listed = {
  id: string;
  state: string;
  expiresAt: string | null;
  validUntil: string | null;
  makerLeft: boolean;
};
const inMs = (ms: number) => new Date(world.clock.now() + ms).toISOString();
const create = async (expiresAt: string | undefined, bearer = world.seed.bearer, name = 'ci') =>
  (await ask('POST', base, bearer, { name, expiresAt })).body as Made;
const listed = async (id: string, bearer = world.seed.bearer) =>
  ((await ask('GET', base, bearer)).body as { keys: Listed[] }).keys.find((key) => key.id === id);
const ingest = async (apiKey: string) => {
  const reply = await world.fetch('/v1/ingest', {
    apiKey,
    events: [{ provider: 'openai', model: 'gpt-4o' }],
  });
  return [reply.status, ((await reply.json()) as { error?: string }).error];
};
const notify = () => runJob(world.ctx, expiryNoticeJob, 'schedule');
/** A time later than the login session of the seed ends. */
const signInAgain = () => world.signIn(world.seed.email);

describe('a key with an expiry', () => {
  test('works until then to the millisecond, and its refusal names it', async () => {
    const { id, apiKey, expiresAt } = await create(inMs(30 * DAY_MS));
    expect(expiresAt).toBe(inMs(30 * DAY_MS));
    expect(await listed(id)).toMatchObject({ state: 'active', expiresAt, validUntil: null });
    world.clock.advance(30 * DAY_MS - 1);
    expect((await ingest(apiKey))[0]).toBe(202);
    world.clock.advance(1);
    const refusal = [401, `Invalid API key: "ci" expired at ${expiresAt}; create a new one`];
    expect(await ingest(apiKey)).toEqual(refusal);
    await world.reopen();
    expect(await ingest(apiKey)).toEqual(refusal);
    expect(await listed(id, await signInAgain())).toMatchObject({ state: 'expired', expiresAt });
  });

  test('is not named to who knows only its public start', async () => {
    const { apiKey } = await create(inMs(HOUR_MS));
    world.clock.advance(HOUR_MS);
    expect(await ingest(apiKey.slice(0, 20) + '0'.repeat(48))).toEqual([401, 'Invalid API key']);
  });

  test('is replaced by one that lives as long, and stays for 24 hours at most', async () => {
    const { id } = await create(inMs(10 * DAY_MS));
    world.clock.advance(DAY_MS);
    const bearer = await world.signIn(world.seed.email);
    const { body } = await ask('POST', `${base}/${id}/rotate`, bearer);
    const { id: next, previousValidUntil } = body as { id: string; previousValidUntil: string };
    expect(previousValidUntil).toBe(inMs(DAY_MS));
    expect(await listed(next)).toMatchObject({ state: 'active', expiresAt: inMs(10 * DAY_MS) });
    expect(await listed(id)).toMatchObject({ state: 'grace', expiresAt: null, validUntil: inMs(DAY_MS) });
    const soon = await create(inMs(HOUR_MS), bearer);
    const rotated = await ask('POST', `${base}/${soon.id}/rotate`, bearer);
    expect(rotated.body).toMatchObject({ previousValidUntil: inMs(HOUR_MS) });
  });

  test('is not rotated after it, and an expiry has to be in the future', async () => {
    const { id } = await create(inMs(HOUR_MS));
    world.clock.advance(HOUR_MS);
    const bearer = await world.signIn(world.seed.email);
    expect(await ask('POST', `${base}/${id}/rotate`, bearer)).toEqual({
      status: 409,
      body: { error: `The key ${id} has expired; create a new one` },
    });
    for (const expiresAt of [inMs(0), '2020-01-01T00:00:00Z', 'tomorrow', '2030-13-01T00:00:00Z', 5])
      expect((await ask('POST', base, bearer, { name: 'ci', expiresAt })).status).toBe(400);
  });
});

describe('a day before', () => {
  test('owners and admins get one mail about each key, with its names quoted', async () => {
    const admin = await world.addUser('admin');
    const viewer = await world.addUser('viewer');
    await create(inMs(DAY_MS + HOUR_MS), world.seed.bearer, 'see evil.example');
    await create(undefined);
    expect((await notify()).result).toEqual({});
    world.clock.advance(HOUR_MS);
    expect((await notify()).result).toEqual({ keys: 1 });
    for (const to of [world.seed.email, admin.email]) {
      const { text } = await smtp.next(to);
      expect(text).toContain(
        `The API key "see evil example" of the project "Acme project" expires at ${inMs(DAY_MS)}`,
      );
    }
    expect((await notify()).result).toEqual({});
    expect(smtp.mails.filter(({ to }) => to.includes(viewer.email))).toEqual([]);
  });

  test('a revoked or replaced key is not told of, and a key waits for a mail server', async () => {
    const [revoked, rotated, waiting] = [
      await create(inMs(HOUR_MS)),
      await create(inMs(HOUR_MS)),
      await create(inMs(HOUR_MS), world.seed.bearer, 'waiting'),
    ];
    await ask('DELETE', `${base}/${revoked.id}`, world.seed.bearer);
    // Its successor lives for an hour too.
    await ask('POST', `${base}/${rotated.id}/rotate`, world.seed.bearer);
    await world.reopen({ SMTP_URL: undefined });
    expect((await notify()).result).toEqual({});
    await world.reopen();
    expect((await notify()).result).toEqual({ keys: 2 });
    expect(waiting.id).toStartWith('key_');
  });
});

test('keys whose maker left the organization say so, until they are rotated by somebody else', async () => {
  const admin = await world.addUser('admin');
  const { id } = await create(undefined, admin.bearer);
  const { id: operators } = await world.app.act(createKey, { project: world.seed.projectId, name: 'op' });
  expect(await listed(id)).toMatchObject({ makerLeft: false });
  await ask(
    'DELETE',
    `/v1/organizations/${world.seed.organizationId}/members/${admin.userId}`,
    world.seed.bearer,
  );
  expect([await listed(id), await listed(operators)]).toMatchObject([
    { makerLeft: true },
    { makerLeft: false },
  ]);
  const { body } = await ask('POST', `${base}/${id}/rotate`, world.seed.bearer);
  expect(await listed((body as Made).id)).toMatchObject({ makerLeft: false });
  await world.ctx.db.sql.run(`DELETE FROM users WHERE id = '${admin.userId}'`);
  expect(await listed(id)).toMatchObject({ makerLeft: true });
});
