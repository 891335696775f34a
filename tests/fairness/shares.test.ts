import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { eventsOf } from '../../src/core/events/index.ts';
import { setPlan } from '../../src/core/orgs/index.ts';
import { openTestApp, type Tenant, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';

let app: TestApp;
let other: Tenant;
beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
});
afterAll(() => app.close());

const CSV = 'date,model,requests,input_tokens,output_tokens,cost_usd\n2026-01-31,gpt-4o,12,24000,6000,0.12\n';
const TRACE = '{"resourceSpans":[]}';

/** A request whose body ends when `finish` is called. */
function begin(
  path: string,
  of: Tenant,
  text: string,
): { finish(): void; answer: Promise<{ status: number; retryAfter: number; error?: string }> } {
  let finish = (): void => {};
  const body = new ReadableStream({
    start: (controller) => {
      finish = () => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      };
    },
  });
  const headers = { 'Content-Type': 'application/json' };
  const url = `${path}?projectId=${of.projectId}`;
  const answer = app
    .fetch(url, { method: 'POST', bearer: of.bearer, headers, body })
    .then(async (response) => ({
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
      ...((await response.json()) as { error?: string }),
    }));
  return { finish, answer };
}

test.each<[string, string, number, string]>([
  ['/v1/reconcile', CSV, 2, 'reconciliations'],
  ['/v1/otel/inspect', TRACE, 5, 'inspections'],
])(
  '%s takes a few requests of an organization at a time, and those of another at once',
  async (path, text, most, what) => {
    const running = Array.from({ length: most }, () => begin(path, app.seed, text));
    const refused = await begin(path, app.seed, text).answer;
    expect(refused).toMatchObject({
      status: 429,
      error: `Your organization has too many ${what} at once; wait for one to end`,
    });
    expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
    const theirs = begin(path, other, text);
    theirs.finish();
    expect((await theirs.answer).status).toBe(200);
    for (const { finish } of running) finish();
    const answers = await Promise.all(running.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual(running.map(() => 200));
    const next = begin(path, app.seed, text);
    next.finish();
    expect((await next.answer).status).toBe(200);
  },
);

test('an organization has three exports at a time; one that is left frees its place', async () => {
  for (let i = 0; i < 20; i++) {
    const events = Array.from({ length: 100 }, () => ({
      provider: 'openai',
      model: 'gpt-4o',
      input_tokens: 1,
    }));
    expect((await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events })).status).toBe(202);
  }
  const start = (of: Tenant): Promise<Response> =>
    app.fetch(`/v1/events/export?format=ndjson&projectId=${of.projectId}`, { bearer: of.bearer });
  const [first, ...more] = await Promise.all([start(app.seed), start(app.seed), start(app.seed)]);
  const refused = await start(app.seed);
  expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([429, true]);
  expect((await start(other)).status).toBe(200);
  await first?.body?.cancel();
  const next = await start(app.seed);
  expect(next.status).toBe(200);
  const texts = await Promise.all([...more, next].map((response) => response.text()));
  expect(texts.map((text) => text.split('\n').length - 1)).toEqual([2_000, 2_000, 2_000]);
  expect((await start(app.seed)).status).toBe(200);
});

test('an organization has two exports of its audit log at a time; one that is left frees its place', async () => {
  await app.app.act(setPlan, { organization: other.organizationId, plan: 'scale' });
  const start = (of: Tenant): Promise<Response> =>
    app.fetch(`/v1/audit/export?organizationId=${of.organizationId}`, { bearer: of.bearer });
  const [first, second] = await Promise.all([start(app.seed), start(app.seed)]);
  const refused = await start(app.seed);
  expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([429, true]);
  expect(await (await start(other)).text()).toContain('organization.created');
  await first?.body?.cancel();
  const next = await start(app.seed);
  expect([next.status, (await start(app.seed)).status]).toEqual([200, 429]);
  for (const response of [second, next]) expect(await response?.text()).toContain('key_created');
  expect((await start(app.seed)).status).toBe(200);
});

test('the re-pricing of an organization goes on while that of another takes long', async () => {
  const ask = async (of: Tenant, id = '', json?: object): Promise<{ id: string; state: string }> => {
    const path = `/v1/repricings${id}?projectId=${of.projectId}`;
    const reply = await app.fetch(path, { bearer: of.bearer, ...(json && { json }) });
    return (await reply.json()) as { id: string; state: string };
  };
  const events = eventsOf(app.ctx);
  const preview = events.previewReprice;
  const release = Promise.withResolvers<void>();
  const held = spyOn(events, 'previewReprice').mockImplementation(async (scope, ...rest) => {
    if (scope.projectId === app.seed.projectId) await release.promise;
    return preview(scope, ...rest);
  });
  const window = { start: '2026-06-01T00:00:00Z', end: '2026-06-02T00:00:00Z' };
  const slow = await ask(app.seed, '', window);
  const quick = await ask(other, '', window);
  await eventually('the other re-pricing', async () => (await ask(other, `/${quick.id}`)).state === 'ready');
  expect((await ask(app.seed, `/${slow.id}`)).state).toBe('looking');
  release.resolve();
  await eventually('the held one', async () => (await ask(app.seed, `/${slow.id}`)).state === 'ready');
  held.mockRestore();
});
