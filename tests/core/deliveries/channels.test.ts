import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { rotateSecret } from '../../../src/core/deliveries/channels/change-channel.ts';
import type { Channel, ChannelInput, TestOutcome } from '../../../src/core/deliveries/channels/contract.ts';
import { sealSecrets, unsealSecrets } from '../../../src/core/deliveries/channels/secrets.ts';
import { updateChannel } from '../../../src/core/deliveries/channels/set-channel.ts';
import { channels } from '../../../src/core/deliveries/table.ts';
import { openCanary } from '../outbound/canary.ts';
import { type DeliveryWorld, openDeliveryWorld } from './world.ts';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await openDeliveryWorld();
});
afterAll(() => world.close());

const KEY = 'R0UTINGKEY'.padEnd(32, 'x');
const CANARY = 'canary-of-a-secret-path';

describe('channels', () => {
  test('never show or store their secrets in clear', async () => {
    const made = [
      await world.channel({ name: 'slack', kind: 'slack', config: { url: `${world.url}/${CANARY}` } }),
      await world.channel({ name: 'pd', kind: 'pagerduty', config: { routingKey: KEY, region: 'eu' } }),
      await world.channel({ name: 'own', kind: 'webhook', config: { url: `${world.url}/${CANARY}` } }),
    ];
    const { id = '' } = made[2] ?? {};
    const put = await world.ask('PUT', `/v1/channels/${id}`, {
      name: 'own',
      kind: 'webhook',
      config: { url: `${world.url}/${CANARY}?token=${CANARY}` },
    });
    expect(put.status).toBe(200);
    const one = await world.ask('GET', `/v1/channels/${id}`);
    const tested = await world.ask('POST', `/v1/channels/${id}/test`);
    expect(world.hooks.at(-1)?.path).toBe(`/${CANARY}`);
    const secret = made[2]?.secret ?? '';
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { body } = await world.ask<{ channels: Channel[] }>('GET', '/v1/channels');
    expect(body.channels.map(({ name, target }) => [name, target])).toEqual([
      ['own', new URL(world.url).host],
      ['pd', 'events.eu.pagerduty.com'],
      ['slack', new URL(world.url).host],
    ]);
    const stored = await world.app.ctx.db.sql.select().from(channels);
    const log = await world.app.ctx.db.sql.all('SELECT * FROM audit_log');
    const { secret: _, ...rest } = made[2] ?? {};
    const shown = [rest, made[0], made[1], put, one, tested, body, stored, log];
    for (const text of shown.map((reply) => JSON.stringify(reply)))
      for (const hidden of [CANARY, KEY, secret]) expect(text).not.toContain(hidden);
    for (const { id } of made) await world.ask('DELETE', `/v1/channels/${id}`);
  });

  test.each(['slack', 'webhook'])('a change keeps the secrets of %s that it leaves out', async (kind) => {
    const { id } = await world.channel({ name: 'kept', kind, config: { url: `${world.url}/kept` } });
    const put = await world.ask('PUT', `/v1/channels/${id}`, { name: 'new name', kind, config: {} });
    expect(put).toMatchObject({ status: 200, body: { name: 'new name', target: new URL(world.url).host } });
    const { body } = await world.ask<TestOutcome>('POST', `/v1/channels/${id}/test`);
    expect(body).toMatchObject({ ok: true, status: 204, error: null });
    expect(world.hooks.at(-1)?.path).toBe('/kept');
    await world.ask('DELETE', `/v1/channels/${id}`);
  });

  test('a rotation and a change of the name keep the URL of a webhook, which older versions stored in clear', async () => {
    const url = `${world.url}/${CANARY}-old`;
    const { id } = await world.channel({ name: 'old', kind: 'webhook', config: { url } });
    const { ctx } = world.app;
    const rowOf = async () => (await ctx.db.sql.select().from(channels).where(eq(channels.id, id)))[0];
    const row = await rowOf();
    if (row === undefined) throw new Error('no channel');
    const { url: _, ...others } = unsealSecrets(ctx, row) ?? {};
    await ctx.db.sql
      .update(channels)
      .set({ settings: { url }, sealed: sealSecrets(ctx, id, others) })
      .where(eq(channels.id, id));
    const { body } = await world.ask<{ channels: Channel[] }>('GET', '/v1/channels');
    expect(JSON.stringify(body)).not.toContain(CANARY);
    for (const [method, path, json] of [
      ['POST', '/rotate-secret', undefined],
      ['PUT', '', { name: 'renamed', kind: 'webhook', config: {} }],
    ] as const) {
      expect((await world.ask(method, `/v1/channels/${id}${path}`, json)).status).toBe(200);
      expect(await world.ask('POST', `/v1/channels/${id}/test`)).toMatchObject({ body: { ok: true } });
      expect(world.hooks.at(-1)?.path).toBe(`/${CANARY}-old`);
    }
    expect(JSON.stringify(await rowOf())).not.toContain(CANARY);
    await world.ask('DELETE', `/v1/channels/${id}`);
  });

  test('a change at the same time as a rotation does not bring the old secret back', async () => {
    const { id } = await world.channel({
      name: 'race',
      kind: 'webhook',
      config: { url: `${world.url}/race` },
    });
    const { ctx, seed } = world.app;
    const of = { organizationId: seed.organizationId, id };
    const actor = { kind: 'user', userId: seed.userId, email: seed.email } as const;
    const input: ChannelInput = { name: 'changed', kind: 'webhook', enabled: true, types: [], config: {} };
    // Both read the channel before one of them writes it.
    const changing = updateChannel(ctx, actor, { ...of, input });
    const [rotated, changed] = await Promise.allSettled([rotateSecret(ctx, actor, of), changing]);
    expect([rotated.status, changed.status].sort()).toEqual(['fulfilled', 'rejected']);
    const [row] = await ctx.db.sql.select().from(channels).where(eq(channels.id, id));
    const secret = row === undefined ? undefined : unsealSecrets(ctx, row)?.secret;
    if (rotated.status === 'fulfilled') expect(secret).toBe(rotated.value.secret);
    await world.ask('DELETE', `/v1/channels/${id}`);
  });

  test('refuse forbidden addresses when they are set, and when they are tested without any connection', async () => {
    const canary = await openCanary('127.0.0.2');
    for (const url of [
      'http://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://user:pw@example.com/',
      'ftp://example.com/',
      `https://127.0.0.2:${canary.port}/`,
      'x',
    ]) {
      const { status, body } = await world.ask<{ error: string }>('POST', '/v1/channels', {
        name: 'bad',
        kind: 'webhook',
        config: { url },
      });
      expect([status, body.error]).toEqual([400, expect.stringContaining('config.url: ')]);
    }
    const { id } = await world.channel({
      name: 'internal',
      kind: 'webhook',
      config: { url: `https://localhost:${canary.port}/` },
    });
    const { body } = await world.ask<TestOutcome>('POST', `/v1/channels/${id}/test`);
    expect(body).toMatchObject({ ok: false, status: null });
    expect(canary.count()).toBe(0);
    canary.close();
  });

  test.each([
    [
      'a name that exists',
      { name: 'internal', kind: 'email', config: { to: ['a@example.com'] } },
      409,
      'name',
    ],
    ['no recipient', { name: 'x', kind: 'email', config: { to: [] } }, 400, 'config.to'],
    ['no address', { name: 'x', kind: 'slack', config: {} }, 400, 'config.url: is required'],
    [
      'a setting of another kind',
      { name: 'x', kind: 'email', config: { url: 'https://x.example' } },
      400,
      'email',
    ],
    ['an unknown kind', { name: 'x', kind: 'fax', config: {} }, 400, 'kind'],
    ['an unknown setting', { name: 'x', kind: 'slack', config: { secret: 'x' } }, 400, 'config'],
    ['a wrong key', { name: 'x', kind: 'pagerduty', config: { routingKey: 'short' } }, 400, 'routingKey'],
    ['an unknown type', { name: 'x', kind: 'slack', config: {}, types: ['x'] }, 400, 'types'],
  ])('with %s are refused', async (_what, input, expected, text) => {
    const { status, body } = await world.ask<{ error: string }>('POST', '/v1/channels', input);
    expect([status, body.error]).toEqual([expected, expect.stringContaining(text)]);
  });

  test('of another organization can be neither read, used nor named by a notification', async () => {
    const other = await world.app.addTenant();
    const foreign = await world.channel(
      { name: 'theirs', kind: 'webhook', config: { url: world.url } },
      other,
    );
    const count = world.hooks.length;
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const)
      expect((await world.ask(method, `/v1/channels/${foreign.id}${path}`)).status).toBe(404);
    await world.notify([foreign.id]);
    await world.send();
    expect(world.hooks).toHaveLength(count);
  });

  test('are tested at most ten times a minute', async () => {
    const { id } = await world.channel({ name: 'often', kind: 'webhook', config: { url: world.url } });
    const tests = Array.from({ length: 12 }, () => world.ask('POST', `/v1/channels/${id}/test`));
    const statuses = (await Promise.all(tests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
  });

  test('an organization has at most 50', async () => {
    const tenant = await world.app.addTenant();
    const input = (i: number) => ({ name: `c${i}`, kind: 'email', config: { to: ['a@example.com'] } });
    for (let i = 0; i < 50; i++) await world.channel(input(i), tenant);
    const { status, body } = await world.ask<{ error: string }>('POST', '/v1/channels', input(50), tenant);
    expect([status, body.error]).toEqual([409, 'An organization has at most 50 channels; delete some']);
  });
});
