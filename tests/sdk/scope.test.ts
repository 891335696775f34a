import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createClient } from '../../src/sdk/index.ts';
import { fetchOf, openSdkWorld, type SdkWorld } from './world.ts';

let world: SdkWorld;
beforeEach(async () => {
  world = await openSdkWorld();
});
afterEach(() => world.close());

const CALL = { provider: 'openai', model: 'gpt-4o' };

test('`with` sets user, session, tags and metadata of everything inside, across awaits and in new traces', async () => {
  const { client } = world;
  const scope = { user_id: 'u1', session_id: 's1', tags: { team: 'a' }, metadata: { plan: 'gold' } };
  await client.with(scope, async () => {
    await Bun.sleep(1);
    client.track({ ...CALL, name: 'tracked', metadata: { own: 1 } });
    client.startCall({ ...CALL, name: 'call', tags: { step: 'x' } }).end({ metadata: { late: true } });
    client.trace('trace', () => client.track({ ...CALL, name: 'inside', user_id: undefined }), {
      metadata: { mine: true },
    });
    await client.with({ user_id: 'u2', tags: { tier: 1 } }, async () =>
      client.track({ ...CALL, name: 'nested' }),
    );
  });
  client.track({ ...CALL, name: 'outside' });
  const events = new Map((await world.events()).map((event) => [event.name, event]));
  const told = { user_id: 'u1', session_id: 's1', tags: { team: 'a' }, metadata: { plan: 'gold' } };
  expect(events.get('tracked')).toMatchObject({ ...told, metadata: { plan: 'gold', own: 1 } });
  expect(events.get('call')).toMatchObject({
    tags: { team: 'a', step: 'x' },
    metadata: { plan: 'gold', late: true },
  });
  expect(events.get('trace')?.metadata).toEqual({ plan: 'gold', mine: true });
  expect(events.get('inside')).toMatchObject(told);
  expect(events.get('inside')?.metadata).toEqual({ plan: 'gold' });
  expect(events.get('nested')).toMatchObject({
    user_id: 'u2',
    session_id: 's1',
    tags: { team: 'a', tier: 1 },
  });
  expect(events.get('outside')).toMatchObject({ user_id: null, session_id: null, tags: {} });
  const traces = ['tracked', 'call', 'trace', 'nested'].map((name) => events.get(name)?.trace_id);
  expect(new Set(traces).size).toBe(4);
});

test('`with` inside a span keeps the place in the trace', async () => {
  const { client } = world;
  const span = client.trace('root', (root) => {
    client.with({ session_id: 's2' }, () => client.track({ ...CALL, name: 'call' }));
    return root;
  });
  expect((await world.events()).find(({ name }) => name === 'call')).toMatchObject({
    parent_span_id: span.spanId,
    trace_id: span.traceId,
    session_id: 's2',
  });
});

test('the address of a trace is that of the dashboard, and the server is asked once', async () => {
  const { app } = world;
  const paths: string[] = [];
  const send = fetchOf(app);
  const client = createClient({
    apiKey: app.seed.apiKey,
    baseUrl: 'http://ledger.test/',
    env: {},
    fetch: (url, init) => {
      paths.push(new URL(url).pathname);
      return send(url, init);
    },
  });
  const [inside, id] = await client.trace('x', async (span) => [await client.traceUrl(), span.traceId]);
  const base = `http://ledger.test/projects/${app.seed.projectId}/traces`;
  expect(inside).toBe(`${base}/${id}`);
  expect(await client.traceUrl('a/b')).toBe(`${base}/a%2Fb`);
  expect(await client.traceUrl()).toBeUndefined();
  expect(paths).toEqual(['/v1/sdk/config']);
  await client.shutdown();
  expect(await client.traceUrl('x')).toBeUndefined();
});

test('a server that cannot be asked for the address is asked again', async () => {
  let attempts = 0;
  const fetch = async () => {
    attempts++;
    throw new Error('away');
  };
  const client = createClient({ apiKey: 'slk_x', env: {}, fetch });
  expect(await client.traceUrl('x')).toBeUndefined();
  expect(await client.traceUrl('x')).toBeUndefined();
  expect(attempts).toBe(2);
});

test('what the server says about a field is reported once per message', async () => {
  const { client, problems } = world;
  for (let n = 0; n < 3; n++) {
    client.track({ ...CALL, ...{ inputTokens: n } });
    await client.flush();
  }
  expect(problems.map(({ kind }) => kind)).toEqual(['warning']);
  expect(problems[0]?.message).toContain('input_tokens');
});
