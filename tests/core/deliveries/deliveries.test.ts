import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { checkBudgets } from '../../../src/core/budgets/check.ts';
import { notificationStatement } from '../../../src/core/deliveries/index.ts';
import { listDue } from '../../../src/core/deliveries/worker/due.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { TEST_NOW } from '../../helpers/app.ts';
import { openSmtp, type TestSmtp } from '../../helpers/smtp.ts';
import { auditRows } from '../audit/rows.ts';
import { type DeliveryWorld, type Hook, MESSAGE, openDeliveryWorld } from './world.ts';

let smtp: TestSmtp;
let world: DeliveryWorld;
let names = 0;
const webhook = (more: object = {}) =>
  world.channel({
    name: `hook ${++names}`,
    kind: 'webhook',
    config: { url: `${world.url}/hook` },
    types: [],
    ...more,
  });
/** The stock verifier looks at the clock of the system. */
const verified = (secret: string, { body, headers }: Hook): unknown => {
  const real = Date.now;
  Date.now = world.app.clock.now;
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    Date.now = real;
  }
};

beforeAll(async () => {
  smtp = await openSmtp();
  world = await openDeliveryWorld({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Ledger <ledger@example.com>' } });
});
afterEach(() => {
  world.hooks.length = 0;
  world.answer = () => new Response(null, { status: 204 });
  world.app.clock.set(TEST_NOW);
});
afterAll(async () => {
  await world.close();
  await smtp.close();
});

describe('deliveries', () => {
  test('a budget that is crossed reaches a webhook once, signed, and other organizations get nothing', async () => {
    const channel = await webhook({ types: ['budget.crossed'] });
    const other = await world.app.addTenant();
    await world.channel({ name: 'theirs', kind: 'webhook', config: { url: `${world.url}/theirs` } }, other);
    await world.ask('POST', '/v1/budgets', {
      name: 'all',
      of: { kind: 'organization' },
      period: 'day',
      limitUsd: 1,
    });
    const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 500_000 };
    const timestamp = new Date(TEST_NOW).toISOString();
    await world.app.fetch('/v1/ingest', { apiKey: world.app.seed.apiKey, events: [{ ...call, timestamp }] });
    for (let i = 0; i < 3; i++) await runJob(world.app.ctx, checkBudgets, 'schedule');
    await world.send();
    expect(world.hooks.map(({ path }) => path)).toEqual(['/hook']);
    expect(verified(channel.secret ?? '', world.hooks[0] as Hook)).toMatchObject({
      type: 'budget.crossed',
      timestamp: '2026-06-15T12:00:00.000Z',
      data: { budget: { name: 'all' }, level: 100, spentUsd: 1.25, limitUsd: 1, projectId: null },
    });
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`);
    expect(delivery).toMatchObject({ status: 'delivered', type: 'budget.crossed', nextAt: null });
    expect(delivery?.messageId).toBe(world.hooks[0]?.headers['webhook-id'] ?? '');
  });

  test('a prompt that is published reaches those who follow it, without its text', async () => {
    const own = await world.app.addTenant('Initech');
    const hook = { name: 'own', kind: 'webhook', config: { url: `${world.url}/own` } };
    const channel = await world.channel({ ...hook, types: ['prompt.published'] }, own);
    const { projectId, bearer } = own;
    const send = (path: string, json: object, method = 'POST') =>
      world.app.fetch(`/v1/${path}?projectId=${projectId}`, { method, bearer, json });
    await send('prompts', { name: 'a/b', template: 'SENTINEL {{x}}', labels: ['production'] });
    await send('prompts/a%2Fb/versions', { template: 'SENTINEL {{y}}', message: 'Shorter' });
    const split = [
      { version: 1, weight: 90 },
      { version: 2, weight: 10 },
    ];
    await send('prompts/a%2Fb/labels/production', { versions: split }, 'PUT');
    // Nothing changes for applications.
    await send('prompts/a%2Fb/labels/production', { versions: split }, 'PUT');
    await world.send();
    const bodies = world.hooks.map((hook) => verified(channel.secret ?? '', hook));
    expect(bodies).toMatchObject([
      {
        type: 'prompt.published',
        data: { change: 'version', version: 1, labels: ['production'], projectId },
      },
      { type: 'prompt.published', data: { change: 'version', version: 2, message: 'Shorter' } },
      {
        type: 'prompt.published',
        data: { prompt: { name: 'a/b' }, change: 'label', label: 'production', versions: split },
      },
    ]);
    expect(JSON.stringify(world.hooks)).not.toContain('SENTINEL');
  });

  test('the stock verifier accepts both secrets for 24 hours after a rotation, then only the new one', async () => {
    const channel = await webhook();
    const rotated = await world.ask<{ secret: string }>('POST', `/v1/channels/${channel.id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    await world.notify([channel.id]);
    await world.send();
    for (const secret of [channel.secret ?? '', rotated.body.secret])
      expect(verified(secret, world.hooks[0] as Hook)).toMatchObject({ type: 'alert.fired' });
    world.app.clock.advance(DAY_MS + 1);
    await world.notify([channel.id]);
    await world.send();
    const [, later] = world.hooks;
    expect(verified(rotated.body.secret, later as Hook)).toMatchObject({ type: 'alert.fired' });
    expect(() => verified(channel.secret ?? '', later as Hook)).toThrow('No matching signature');
  });

  test('a failing endpoint is asked ten times with one id and the same body; then the channel is disabled and the admins get a mail', async () => {
    const channel = await webhook();
    world.answer = () => new Response('secret text of the reply', { status: 503 });
    await world.notify([channel.id]);
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      await world.send();
      const [delivery] = await world.deliveries(`?channelId=${channel.id}`);
      if (delivery?.nextAt === null || delivery?.nextAt === undefined) break;
      waits.push(Date.parse(delivery.nextAt) - world.app.clock.now());
      world.app.clock.set(Date.parse(delivery.nextAt) - 1);
      await world.send();
      world.app.clock.advance(1);
    }
    expect(world.hooks).toHaveLength(10);
    expect(new Set(world.hooks.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    const hours = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24];
    for (const [i, wait] of waits.entries())
      expect(Math.abs(wait / ((hours[i] ?? 0) * HOUR_MS) - 1)).toBeLessThanOrEqual(0.11);
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`);
    expect(delivery).toMatchObject({ status: 'failed' });
    expect(delivery?.attempts).toHaveLength(10);
    expect(delivery?.attempts[0]).toMatchObject({ status: 503, error: 'The endpoint replied 503' });
    expect(JSON.stringify(delivery)).not.toContain('secret text');
    const { body } = await world.ask('GET', `/v1/channels/${channel.id}`);
    expect(body).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const mail = await smtp.next(world.app.seed.email);
    expect(mail.text).toContain('gets no more notifications');
    const actions = (await auditRows(world.app.ctx)).map(({ action }) => action);
    expect(actions).toContain('channel.disabled');
    await world.notify([channel.id]);
    expect(await world.deliveries(`?channelId=${channel.id}`)).toHaveLength(1);
  });

  test('what is told of one subject arrives in order: a newer delivery brings the older one forward and waits for it', async () => {
    const channel = await webhook();
    const tell = (summary: string, subject: string) =>
      world.notify([channel.id], { data: { summary }, message: { ...MESSAGE, subject } });
    const arrived = () => world.hooks.map(({ body }) => JSON.parse(body).data.summary);
    let isUp = false;
    world.answer = ({ body }) => new Response(null, { status: isUp || body.includes('other') ? 204 : 503 });
    await tell('fired', 'group a');
    await world.send();
    const [first] = await world.deliveries(`?channelId=${channel.id}`);
    world.app.clock.advance(1_000);
    await tell('resolved', 'group a');
    await tell('other', 'group b');
    await world.send();
    // The older one is tried early, which does not count; the newer one is not tried before it.
    expect(arrived()).toEqual(['fired', 'fired', 'other']);
    world.app.clock.advance(1_000);
    await world.send();
    expect(world.hooks).toHaveLength(3);
    const waiting = await world.deliveries(`?channelId=${channel.id}&status=pending`);
    expect(waiting.map(({ nextAt }) => nextAt)).toEqual([first?.nextAt ?? '', first?.nextAt ?? '']);
    isUp = true;
    world.app.clock.set(Date.parse(first?.nextAt ?? ''));
    await world.send();
    expect(arrived().slice(3)).toEqual(['fired', 'resolved']);
  });

  test('a delivery that is given up holds nothing back', async () => {
    const channel = await webhook();
    world.answer = ({ body }) => new Response(null, { status: body.includes('bad') ? 503 : 204 });
    const tell = (summary: string) => world.notify([channel.id], { data: { summary } });
    await tell('bad');
    await tell('good');
    for (let i = 0; i < 10; i++) {
      await world.send();
      // Retries wait for at most a day and a tenth.
      world.app.clock.advance(27 * HOUR_MS);
      // The channel works, so it is not disabled.
      await world.notify([channel.id], {
        data: { summary: 'else' },
        message: { ...MESSAGE, subject: 'else' },
      });
    }
    await world.send();
    const bodies = world.hooks.map(({ body }) => body);
    expect(bodies.filter((body) => body.includes('bad'))).toHaveLength(10);
    expect(bodies.filter((body) => body.includes('good'))).toHaveLength(1);
  });

  test('410 disables the channel at once; after it is enabled a delivery can be retried with the same id', async () => {
    const channel = await webhook();
    world.answer = () => new Response(null, { status: 410 });
    await world.notify([channel.id]);
    await world.send();
    await smtp.next(world.app.seed.email);
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`);
    expect(delivery).toMatchObject({ status: 'failed', nextAt: null });
    const retry = () => world.ask('POST', `/v1/deliveries/${delivery?.id}/retry`);
    expect((await retry()).status).toBe(409);
    const { name, kind, config, types } = channel;
    const put = await world.ask('PUT', `/v1/channels/${channel.id}`, {
      name,
      kind,
      config,
      types,
      enabled: true,
    });
    expect(put.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    world.answer = () => new Response(null, { status: 200 });
    expect((await retry()).status).toBe(200);
    await world.send();
    expect((await world.deliveries(`?channelId=${channel.id}`))[0]).toMatchObject({ status: 'delivered' });
    expect(new Set(world.hooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(world.hooks).toHaveLength(2);
    expect(verified(channel.secret ?? '', world.hooks[1] as Hook)).toMatchObject({ type: 'alert.fired' });
  });

  test('a redirect counts as a failure and is not followed', async () => {
    const channel = await webhook();
    world.answer = () => Response.redirect(`${world.url}/elsewhere`, 302);
    await world.notify([channel.id]);
    await world.send();
    expect(world.hooks.map(({ path }) => path)).toEqual(['/hook']);
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`);
    expect(delivery?.attempts[0]?.error).toContain('redirects are not followed');
  });

  test('a notification commits with its cause or not at all', async () => {
    const channel = await webhook();
    const { ctx } = world.app;
    const { notificationStatement } = await import('../../../src/core/deliveries/index.ts');
    const { MESSAGE } = await import('./world.ts');
    const { organizationId } = world.app.seed;
    const statement = notificationStatement(ctx, {
      organizationId,
      type: 'alert.fired',
      data: {},
      message: MESSAGE,
      channelIds: [channel.id],
    });
    const broken = notificationStatement(ctx, {
      organizationId,
      projectId: 'prj_none',
      type: 'alert.fired',
      data: {},
      message: MESSAGE,
      channelIds: [channel.id],
    });
    expect(ctx.db.sql.batch([statement, broken])).rejects.toThrow();
    expect(await world.deliveries(`?channelId=${channel.id}`)).toEqual([]);
  });

  test('an e-mail channel sends HTML and text to all recipients, and a refused mail is not repeated', async () => {
    const channel = await world.channel({
      name: 'mail',
      kind: 'email',
      config: { to: ['ops@example.com', 'Finance@example.com'] },
      types: [],
    });
    smtp.refuse(451);
    await world.notify([channel.id]);
    await world.send();
    world.app.clock.advance(6_000);
    await world.send();
    const mail = await smtp.next('ops@example.com');
    expect(mail.to).toEqual(['ops@example.com', 'finance@example.com']);
    expect(mail.raw).toMatch(/^Message-ID: <msg_[0-9a-f]{32}@example.com>/im);
    for (const part of [
      'text/plain',
      'text/html',
      'Errors are up',
      'Threshold: 5%',
      '/projects/p/alerts/alr_1',
    ])
      expect(mail.text).toContain(part);
    expect((await world.deliveries(`?channelId=${channel.id}`))[0]).toMatchObject({ status: 'delivered' });
    smtp.refuse(550);
    await world.notify([channel.id]);
    await world.send();
    const [refused] = await world.deliveries(`?channelId=${channel.id}`);
    expect(refused).toMatchObject({ status: 'failed' });
    expect(refused?.attempts[0]?.error).toContain('550');
  });

  test('an endpoint that never answers holds up no other channel and no other organization', async () => {
    const hanging = await Promise.all(
      [1, 2, 3].map((i) => webhook({ config: { url: `${world.url}/hang/${i}` } })),
    );
    const good = await webhook();
    const held: (() => void)[] = [];
    const arrived = Promise.withResolvers<void>();
    world.answer = ({ path }) => {
      if (path === '/hook') arrived.resolve();
      if (!path.startsWith('/hang')) return new Response(null, { status: 204 });
      const { promise, resolve } = Promise.withResolvers<Response>();
      held.push(() => resolve(new Response(null, { status: 204 })));
      return promise;
    };
    for (let i = 0; i < 30; i++) await world.notify(hanging.map(({ id }) => id));
    await world.notify([good.id]);
    const done = world.send();
    await arrived.promise;
    expect(world.hooks.filter(({ path }) => path.startsWith('/hang')).length).toBeLessThanOrEqual(12);
    world.answer = () => new Response(null, { status: 204 });
    for (const release of held) release();
    await done;
    expect(await world.deliveries('?status=pending')).toEqual([]);
    const counts = Map.groupBy(world.hooks, ({ headers }) => `${headers['webhook-id']}`);
    expect(counts.size).toBe(31);
  });

  test('an erased user, a deleted project and 30 days end the log', async () => {
    const channel = await webhook();
    const { projectId } = world.app.seed;
    await world.notify([channel.id], { projectId, userId: 'ann' });
    await world.send();
    const { deliveriesModule } = await import('../../../src/core/deliveries/index.ts');
    expect(deliveriesModule.tables?.[0]).toMatchObject({
      eraseUser: { deleteWhere: 'user_id = ?' },
      alsoBy: 'project_id',
      retention: { ends: 'finished_at', keptDays: 30 },
    });
    expect(await world.deliveries(`?projectId=${projectId}`)).toHaveLength(1);
  });

  test('a backlog of many channels does not hide the deliveries of another organization', async () => {
    const { app } = world;
    const own = await webhook();
    const copies = Array.from({ length: 130 }, (_, i) => `${own.id}-${i}`);
    await app.ctx.db.sql.run(sql`INSERT INTO channels
      SELECT copy.value, organization_id, copy.value, kind, target, settings, sealed, enabled, types, disabled_reason,
        failing_since, last_delivered_at, created_at, updated_at
      FROM channels JOIN json_each(${JSON.stringify(copies)}) AS copy WHERE channels.id = ${own.id}`);
    // Without the event that wakes the sender.
    const write = (organizationId: string, channelIds: readonly string[], subject = 'one') => {
      const message = { ...MESSAGE, subject };
      const about = { organizationId, channelIds, type: 'alert.fired', data: {}, message } as const;
      return app.ctx.db.sql.batch([notificationStatement(app.ctx, about)]);
    };
    for (let i = 0; i < 4; i++) await write(app.seed.organizationId, copies, `subject ${i}`);
    app.clock.advance(1_000);
    const other = await app.addTenant();
    const theirs = await world.channel(
      { name: 'theirs', kind: 'webhook', config: { url: `${world.url}/hook` }, types: [] },
      other,
    );
    await write(other.organizationId, [theirs.id]);
    const due = await listDue(app.ctx);
    expect(due.map(({ channel }) => channel.id)).toContain(theirs.id);
    expect(due).toHaveLength(512);
    await app.ctx.db.sql.run(sql`DELETE FROM deliveries WHERE status = 'pending'`);
  });
});
