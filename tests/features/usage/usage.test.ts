import { afterEach, describe, expect, test } from 'bun:test';
import { runJobAction } from '../../../src/core/jobs/index.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import type { Usage } from '../../../src/features/usage/contract.ts';
import { modules } from '../../../src/features.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openSmtp } from '../../helpers/smtp.ts';

let world: TestApp;
afterEach(() => world.close());

async function open(monthlyEvents: number, options: TestAppOptions = {}): Promise<void> {
  world = await openTestApp(options);
  await limit(monthlyEvents);
}
const limit = (monthlyEvents: number) =>
  world.app.act(setPlan, { organization: 'Acme', plan: 'free', monthlyEvents });
const calls = (count: number) =>
  Array.from({ length: count }, () => ({ provider: 'openai', model: 'gpt-4o' }));
const ingest = (count: number) =>
  world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: calls(count) });
const usage = async (bearer = world.seed.bearer): Promise<Usage> => {
  const response = await world.fetch(`/v1/organizations/${world.seed.organizationId}/usage`, { bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as Usage;
};

describe('GET /v1/organizations/:id/usage', () => {
  test('returns the usage of the month, the remaining quota, the forecast and the days', async () => {
    await open(1_000);
    await ingest(30);
    world.clock.advance(86_400_000);
    await ingest(10);
    const seen = await usage((await world.addUser('viewer')).bearer);
    expect(seen).toMatchObject({
      organizationId: world.seed.organizationId,
      plan: 'free',
      month: '2026-06',
      used: 40,
      limit: 1_000,
      remaining: 960,
      percent: 4,
      // Without a full day of history there is no pace.
      forecast: null,
      exhaustedAt: null,
      resetsAt: '2026-07-01T00:00:00.000Z',
      retentionDays: 7,
      months: [{ month: '2026-06', events: 40, bytes: expect.any(Number) }],
      warnings: [],
    });
    expect(seen.daily).toHaveLength(31);
    expect(seen.daily.slice(-3)).toEqual([
      { date: '2026-06-14', events: 0, bytes: 0 },
      { date: '2026-06-15', events: 30, bytes: expect.any(Number) },
      { date: '2026-06-16', events: 10, bytes: expect.any(Number) },
    ]);
    // A day later the 16th is a full one: 10 a day for 13.5 days more.
    world.clock.advance(86_400_000);
    expect(await usage()).toMatchObject({ used: 40, forecast: 175 });
  });

  test('restarts at zero next month and keeps the previous month', async () => {
    await open(100);
    await ingest(90);
    world.clock.set(Date.UTC(2026, 6, 1));
    await ingest(5);
    expect(await usage(await world.signIn(world.seed.email))).toMatchObject({
      month: '2026-07',
      used: 5,
      warnings: [],
      months: [
        { month: '2026-07', events: 5 },
        { month: '2026-06', events: 90 },
      ],
    });
  });

  test('is the same in every month length, also without any event or any quota', async () => {
    await open(0);
    expect(await usage()).toMatchObject({ used: 0, limit: 0, remaining: 0, percent: 100, forecast: null });
  });
});

describe('the quota', () => {
  test('50 clients at once around the last event get exactly what is left', async () => {
    await open(237);
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => ingest(1 + ((i * 3) % 20))));
    let accepted = 0;
    for (const reply of replies) {
      if (reply.status === 202) accepted += ((await reply.json()) as { accepted: number }).accepted;
      else expect([reply.status, await reply.json()]).toEqual([429, { error: 'Monthly quota exceeded' }]);
    }
    // Then whoever needs only one event fills it up to the last.
    const left = 237 - accepted;
    const rest = await Promise.all(Array.from({ length: 50 }, () => ingest(1)));
    expect(rest.filter(({ status }) => status === 202)).toHaveLength(left);
    expect(rest.filter(({ status }) => status === 429)).toHaveLength(50 - left);
    expect(await usage()).toMatchObject({ used: 237, remaining: 0 });
    const page = await world.fetch(`/v1/events?projectId=${world.seed.projectId}`, {
      bearer: world.seed.bearer,
    });
    expect(await page.json()).toMatchObject({ total: 237 });
  });

  test('batches on their way at midnight of the first count in the month that they came in', async () => {
    await open(1_000, { now: Date.UTC(2026, 11, 31, 23, 59, 59, 990), mode: 'serve' });
    const sent = [];
    for (let i = 0; i < 20; i++) {
      sent.push(ingest(10));
      // The first one checks the key, which takes longer than is left of the year.
      if (i === 0) await sent[0];
      world.clock.advance(1);
      // Lets the request reach the intake before the clock goes on.
      await Bun.sleep(0);
    }
    for (const reply of await Promise.all(sent)) expect(reply.status).toBe(202);
    const { months, daily } = await usage();
    expect(months.map(({ month }) => month)).toEqual(['2027-01', '2026-12']);
    expect(months.reduce((sum, { events }) => sum + events, 0)).toBe(200);
    expect(daily.slice(-2).map(({ events }) => events)).toEqual(months.map(({ events }) => events).reverse());
  });
});

describe('the bytes of events', () => {
  const text = (i: number) =>
    Array.from({ length: 200 }, (_, k) => (i * 7919 + k * 104_729) % 9_973).join(' ');
  const send = (from: number, ids: readonly string[]) =>
    world.fetch('/v1/ingest', {
      apiKey: world.seed.apiKey,
      events: ids.map((event_id, i) => ({
        event_id,
        timestamp: new Date(world.clock.now()).toISOString(),
        provider: 'openai',
        model: 'gpt-4o',
        metadata: { text: text(from + i) },
      })),
    });
  const limitBytes = (monthlyBytes: number) =>
    world.app.act(setPlan, { organization: 'Acme', plan: 'free', monthlyBytes });
  const newIds = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

  test('are counted with the events, once per event, and have a quota of their own', async () => {
    await open(1_000);
    const ids = newIds(20);
    expect((await send(0, ids)).status).toBe(202);
    const { bytes, daily, months } = await usage();
    expect(bytes.used).toBeGreaterThan(20 * 100);
    expect(bytes.used).toBeLessThan(20 * 2_000);
    expect([daily.at(-1)?.bytes, months[0]?.bytes, bytes.limit]).toEqual([bytes.used, bytes.used, 1e9]);
    expect((await send(0, ids)).status).toBe(202);
    expect((await usage()).bytes.used).toBe(bytes.used);

    const room = Math.ceil(bytes.used * 1.2);
    await limitBytes(room);
    const refused = await send(100, newIds(20));
    expect([refused.status, await refused.json()]).toEqual([429, { error: 'Monthly quota exceeded' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_400);
    const seen = await usage();
    expect(seen).toMatchObject({ used: 20, bytes: { used: bytes.used, limit: room } });
    // Nobody waits for the warning.
    await eventually('the warning', async () => (await usage()).warnings.length > 0);
    expect((await usage()).warnings).toMatchObject([{ unit: 'bytes', threshold: 100 }]);
    await limitBytes(1e9);
    expect((await send(100, newIds(20))).status).toBe(202);
  });

  test('are warned of at 80 %', async () => {
    await open(1_000);
    await send(0, newIds(20));
    const { used } = (await usage()).bytes;
    await limitBytes(used * 2);
    expect((await usage()).warnings).toEqual([]);
    await send(100, newIds(14));
    expect((await usage()).warnings).toMatchObject([{ unit: 'bytes', threshold: 80 }]);
  });
});

const deliver = async () =>
  (
    await world.app.act(
      runJobAction(() => modules),
      { name: 'outbox.deliver' },
    )
  ).result;

describe('warnings', () => {
  test('are recorded once at 80 and at 100 %, again for another quota, and none below', async () => {
    await open(100);
    await ingest(79);
    expect((await usage()).warnings).toEqual([]);
    await ingest(1);
    world.clock.advance(1_000);
    await ingest(5);
    const at = '2026-06-15T12:00:00.000Z';
    expect((await usage()).warnings).toEqual([{ unit: 'events', threshold: 80, at }]);
    await ingest(15);
    expect((await usage()).warnings).toEqual([
      { unit: 'events', threshold: 80, at },
      { unit: 'events', threshold: 100, at: '2026-06-15T12:00:01.000Z' },
    ]);
    await limit(200);
    expect((await usage()).warnings).toEqual([]);
    await ingest(65);
    expect((await usage()).warnings.map(({ threshold }) => threshold)).toEqual([80]);
  });

  test.each(['/v1/ingest', '/v1/otel'])(
    'what is sent to %s over a used-up quota is refused before a byte is read, until the quota or the month changes',
    async (path) => {
      await open(10);
      await ingest(10);
      expect((await ingest(1)).status).toBe(429);
      const send = async (): Promise<{ status: number; retryAfter: string | null; pulls: number }> => {
        let pulls = 0;
        const pull = (controller: ReadableStreamDefaultController): void => {
          pulls++;
          controller.close();
        };
        const body = new ReadableStream({ pull }, { highWaterMark: 0 });
        const headers = { 'Content-Type': 'application/json' };
        const response = await world.fetch(path, {
          method: 'POST',
          apiKey: world.seed.apiKey,
          headers,
          body,
        });
        return { status: response.status, retryAfter: response.headers.get('retry-after'), pulls };
      };
      const refusal = { status: 429, retryAfter: String(15.5 * 86_400), pulls: 0 };
      await eventually('a refusal without reading', async () => (await send()).pulls === 0);
      expect(await send()).toEqual(refusal);
      await limit(20);
      expect((await send()).pulls).toBeGreaterThan(0);
      expect((await ingest(1)).status).toBe(202);
      await limit(10);
      world.clock.set(Date.UTC(2026, 6, 1));
      expect((await send()).pulls).toBeGreaterThan(0);
      expect((await ingest(1)).status).toBe(202);
    },
  );

  test('a refused batch records an exhausted quota, and a batch that passes both thresholds records both', async () => {
    await open(100);
    await ingest(50);
    expect((await ingest(60)).status).toBe(429);
    await eventually('a warning', async () => (await usage()).warnings.length > 0);
    expect((await usage()).warnings.map(({ threshold }) => threshold)).toEqual([100]);
    await limit(60);
    await ingest(10);
    expect((await usage()).warnings.map(({ threshold }) => threshold)).toEqual([100]);
    await limit(90);
    await ingest(30);
    expect((await usage()).warnings.map(({ threshold }) => threshold)).toEqual([80, 100]);
  });

  test('owners and admins are notified by mail, once', async () => {
    const smtp = await openSmtp();
    await open(10, { env: { SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com' } });
    const admin = await world.addUser('admin');
    const viewer = await world.addUser('viewer');
    await ingest(8);
    for (const to of [world.seed.email, admin.email]) {
      const { text } = await smtp.next(to);
      expect(text).toContain('"Acme" has used 80% of the 10 events');
      expect(text).toContain('refused until 2026-07-01');
    }
    await ingest(2);
    expect((await smtp.next(world.seed.email)).text).toContain('"Acme" has used all of the 10 events');
    await smtp.next(admin.email);
    expect(await deliver()).toEqual({});
    expect(smtp.mails.filter(({ to }) => to.includes(viewer.email))).toEqual([]);
    await smtp.close();
  });

  test('wait for a mail server, but not beyond their month', async () => {
    await open(10);
    await ingest(8);
    await deliver();
    await ingest(2);
    await deliver();
    const smtp = await openSmtp();
    await world.reopen({ SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com' });
    world.clock.set(Date.UTC(2026, 5, 30));
    await world.ctx.db.sql.run("UPDATE outbox SET due_at = 9e15 WHERE payload ->> '$.threshold' = 100");
    await deliver();
    expect((await smtp.next(world.seed.email)).text).toContain('"Acme" has used 80% of the 10 events');
    await world.ctx.db.sql.run('UPDATE outbox SET due_at = 0');
    world.clock.set(Date.UTC(2026, 6, 1));
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(await deliver()).toEqual({});
    expect(smtp.mails).toEqual([]);
    await smtp.close();
  });
});
