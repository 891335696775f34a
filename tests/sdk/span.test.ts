import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

let world: SdkWorld;
beforeEach(async () => {
  world = await openSdkWorld({ environment: 'staging', release: '1.2.3' });
});
afterEach(() => world.close());

const CALL = { provider: 'openai', model: 'gpt-4o' };
const named = (events: StoredEvent[], name: string): StoredEvent => {
  const found = events.find((event) => event.name === name);
  if (found === undefined) throw new Error(`no event ${name}`);
  return found;
};

test('concurrent spans keep their own parents across every await', async () => {
  const { client } = world;
  await client.trace('job', async () => {
    await Promise.all(
      ['a', 'b'].map((name) =>
        client.span(name, async () => {
          // Awaits that cross turns of the event loop, which is what is tested.
          await Bun.sleep(1);
          await client.span(`${name}/inner`, async () => {
            await Bun.sleep(1);
            client.track({ ...CALL, name: `${name}/call` });
          });
        }),
      ),
    );
  });
  const events = await world.events();
  const job = named(events, 'job');
  expect(events).toHaveLength(7);
  expect(new Set(events.map((event) => event.trace_id))).toEqual(new Set([job.trace_id]));
  expect(job).toMatchObject({
    kind: 'span',
    operation: 'job',
    parent_span_id: null,
    environment: 'staging',
    release: '1.2.3',
  });
  for (const name of ['a', 'b']) {
    expect(named(events, name).parent_span_id).toBe(job.span_id);
    expect(named(events, `${name}/inner`).parent_span_id).toBe(named(events, name).span_id);
    expect(named(events, `${name}/call`).parent_span_id).toBe(named(events, `${name}/inner`).span_id);
  }
});

test('events inherit user, session and tags from their trace', async () => {
  const { client } = world;
  client.trace(
    'request',
    (span) => {
      span.set({ metadata: { rows: 3 } });
      client.track({ ...CALL, name: 'call', tags: { step: 'plan' } });
      client.startCall({ ...CALL, name: 'started' }).end();
    },
    { user_id: 'u1', session_id: 's1', agent: 'planner', tags: { tenant: 't' }, kind: 'agent' },
  );
  const events = await world.events();
  for (const name of ['request', 'call', 'started']) {
    expect(named(events, name)).toMatchObject({ user_id: 'u1', session_id: 's1', agent: 'planner' });
  }
  expect(named(events, 'request')).toMatchObject({ kind: 'agent', metadata: { rows: 3 } });
  expect(named(events, 'call').tags).toEqual({ tenant: 't', step: 'plan' });
});

test('a span returns and throws exactly what its function does', async () => {
  const { client } = world;
  const error = new RangeError('too far');
  expect(client.span('sync', () => 42)).toBe(42);
  expect(await client.span('async', async () => 43)).toBe(43);
  expect(() =>
    client.span('throws', () => {
      throw error;
    }),
  ).toThrow(error);
  expect(await client.span('rejects', () => Promise.reject(error)).catch((thrown: unknown) => thrown)).toBe(
    error,
  );
  class Special extends Promise<number> {}
  const special = Special.resolve(1);
  expect(client.span('special', () => special)).toBe(special);
  // A promise that is returned unchanged ends its span in a separate microtask.
  await Bun.sleep(0);
  const events = await world.events();
  expect(events.map((event) => [event.name, event.status, event.error_code])).toEqual([
    ['sync', 'success', null],
    ['async', 'success', null],
    ['throws', 'error', 'RangeError'],
    ['rejects', 'error', 'RangeError'],
    ['special', 'success', null],
  ]);
});

test('a span carries the link itself if the context is lost', async () => {
  const { client } = world;
  const ids = { trace_id: 'a'.repeat(32), parent_span_id: 'b'.repeat(16) };
  const kept = client.trace('root', (span) => span, ids);
  kept.track({ ...CALL, name: 'tracked' });
  kept.span('child', () => {});
  kept.run(() => client.startCall({ ...CALL, name: 'run' }).fail(new Error('x')));
  const events = await world.events();
  expect(named(events, 'root')).toMatchObject(ids);
  for (const name of ['tracked', 'child', 'run']) {
    expect(named(events, name)).toMatchObject({ trace_id: ids.trace_id, parent_span_id: kept.spanId });
  }
});

test('a trace inside another one is separate, and a call ends once', async () => {
  const { client } = world;
  client.trace('outer', () => client.trace('inner', () => {}));
  const call = client.startCall({ ...CALL, name: 'call' });
  call.firstToken();
  call.end({ output_tokens: 3 });
  call.fail(new Error('late'));
  call.end({ output_tokens: 9 });
  const events = await world.events();
  expect(named(events, 'inner').parent_span_id).toBeNull();
  expect(named(events, 'inner').trace_id).not.toBe(named(events, 'outer').trace_id);
  expect(events.filter(({ name }) => name === 'call')).toMatchObject([
    { status: 'success', output_tokens: 3 },
  ]);
});
