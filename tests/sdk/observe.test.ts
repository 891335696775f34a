import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { createClient } from '../../src/sdk/index.ts';
import { linesOf, openSdkWorld, type SdkWorld } from './world.ts';

let world: SdkWorld;
beforeEach(async () => {
  world = await openSdkWorld();
});
afterEach(() => world.close());

const CALL = { provider: 'openai', model: 'gpt-4o' };

test('an observed function returns, throws and rejects as it does, with its `this`, name and length', async () => {
  const { client } = world;
  const error = new RangeError('no');
  const service = {
    factor: 2,
    double: client.observe(function double(this: { factor: number }, n: number): number {
      return n * this.factor;
    }),
  };
  expect(service.double(21)).toBe(42);
  expect([service.double.name, service.double.length]).toEqual(['double', 1]);
  expect(await client.observe(async (text: string) => `${text}!`)('hi')).toBe('hi!');
  const throws = client.observe(
    () => {
      throw error;
    },
    { name: 'throws' },
  );
  expect(throws).toThrow(error);
  expect(
    await client
      .observe(() => Promise.reject(error), { name: 'rejects' })()
      .catch((thrown: unknown) => thrown),
  ).toBe(error);
  const events = await world.events();
  expect(events.map((event) => [event.name, event.status, event.error_code])).toEqual([
    ['double', 'success', null],
    ['anonymous', 'success', null],
    ['throws', 'error', 'RangeError'],
    ['rejects', 'error', 'RangeError'],
  ]);
});

test('observed functions nest, across awaits and in generators', async () => {
  const { client } = world;
  const look = client.observe(async (n: number) => client.track({ ...CALL, name: `call ${n}` }), {
    name: 'look',
    kind: 'tool',
  });
  async function* answer(): AsyncGenerator<number> {
    for (const n of [1, 2]) {
      await look(n);
      yield n;
    }
  }
  const observed = client.observe(answer, { user_id: 'u1' });
  // The generator is read outside of the function that made it.
  const generator = observed();
  const items: number[] = [];
  for await (const item of generator) items.push(item);
  expect(items).toEqual([1, 2]);
  const events = await world.events();
  const [root] = events.filter(({ name }) => name === 'answer');
  expect(events.map(({ name }) => name).sort()).toEqual(['answer', 'call 1', 'call 2', 'look', 'look']);
  const looks = events.filter(({ name }) => name === 'look');
  for (const { parent_span_id, user_id, kind } of looks)
    expect([parent_span_id, user_id, kind]).toEqual([root?.span_id ?? '', 'u1', 'tool']);
  for (const { parent_span_id } of events.filter(({ kind }) => kind === 'llm'))
    expect(looks.map(({ span_id }) => span_id)).toContain(parent_span_id ?? '');
});

describe('a run ends when its stream does', () => {
  const letters = () =>
    new ReadableStream<string>({
      start(to) {
        for (const letter of 'abc') to.enqueue(letter);
        to.close();
      },
    });
  class Lines {
    async *[Symbol.asyncIterator](): AsyncGenerator<string> {
      yield* 'abc';
    }
  }
  const drain = async (stream: AsyncIterable<unknown>): Promise<string> => {
    let text = '';
    for await (const item of stream) text += String(item);
    return text;
  };
  const makers: [string, () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>][] = [
    ['a ReadableStream', () => letters() as unknown as AsyncIterable<unknown>],
    ['an async iterable', () => new Lines()],
    ['a promise of one', async () => new Lines()],
    ['a stream of Node', () => Readable.from(['a', 'b', 'c'])],
  ];
  for (const [what, make] of makers) {
    test(what, async () => {
      const { client } = world;
      const stream = await client.observe(make, { name: 'streams' })();
      expect(await client.flush()).toMatchObject({ accepted: 0 });
      expect(await drain(stream)).toBe('abc');
      await Bun.sleep(0);
      expect(await world.events()).toMatchObject([{ name: 'streams', status: 'success' }]);
    });
  }

  test('a sync generator, whose return value is passed on', async () => {
    const count = world.client.observe(function* count(): Generator<number, string> {
      yield 1;
      return 'done';
    });
    const generator = count();
    expect([generator.next(), generator.next()]).toEqual([
      { value: 1, done: false },
      { value: 'done', done: true },
    ]);
    expect(await world.events()).toMatchObject([{ name: 'count', status: 'success' }]);
  });

  test('an error in the stream, and a stream that its reader leaves', async () => {
    const fails = world.client.observe(
      async function* () {
        yield 1;
        throw new TypeError('cut');
      },
      { name: 'fails' },
    );
    expect(await drain(fails()).catch(String)).toBe('TypeError: cut');
    for await (const _ of world.client.observe(() => new Lines(), { name: 'left' })()) break;
    expect(await world.events()).toMatchObject([
      { name: 'fails', status: 'error', error_code: 'TypeError', error_message: 'cut' },
      { name: 'left', status: 'cancelled', error_code: 'stream_abandoned' },
    ]);
  });

  test('a stream that is open at the shutdown is recorded as cancelled', async () => {
    world.client.observe(() => letters(), { name: 'open' })();
    await world.client.shutdown();
    expect(world.sent.flatMap(linesOf).map((line) => JSON.parse(line))).toMatchObject([
      { name: 'open', status: 'cancelled' },
    ]);
  });
});

test('frozen results and results with getters that throw are returned as they are', async () => {
  const frozen = Object.freeze({ next: () => ({ done: true, value: 1 }), [Symbol.iterator]: () => frozen });
  const { client } = world;
  expect(client.observe(() => frozen, { name: 'frozen' })()).toBe(frozen as never);
  expect(client.observe(() => 1, { name: 'plain' })()).toBe(1);
  const getters = Object.defineProperty({}, 'then', {
    get: () => {
      throw new Error('no');
    },
  });
  expect(client.observe(() => getters, { name: 'getters' })()).toBe(getters);
  expect((await world.events()).map(({ name }) => name)).toEqual(['frozen', 'plain', 'getters']);
});

test('arguments and results leave the process only if prompts are stored', async () => {
  const { client } = world;
  client.observe((secret: string) => `${secret}-ANSWER`, { name: 'plain' })('SECRET');
  await client.flush();
  expect(world.sent.flatMap(linesOf).join()).not.toMatch(/SECRET|ANSWER/);

  const lines: string[] = [];
  const storing = createClient({
    apiKey: 'slk_x',
    env: {},
    storePrompts: true,
    remoteConfig: false,
    fetch: async (_, { body }) => {
      if (body !== undefined) lines.push(...linesOf(body));
      return Response.json({ accepted: 1, duplicates: 0, rejected: [], configVersion: 1 }, { status: 202 });
    },
  });
  const chat = storing.observe(async (messages: string[], temperature: number) => {
    messages.push('later');
    return { text: 'Paris', temperature };
  });
  await chat(['Where?'], 0.5);
  const letters = storing.observe(async function* () {
    yield* ['Pa', 'ris'];
  });
  for await (const _ of letters());
  await storing.shutdown();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { input: [['Where?'], 0.5], output: { text: 'Paris', temperature: 0.5 } },
    { output: ['Pa', 'ris'] },
  ]);
});
