import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Score } from '../../src/core/scores/contract.ts';
import { createClient, type Problem } from '../../src/sdk/index.ts';
import { fetchOf, openSdkWorld, type SdkWorld } from './world.ts';

let world: SdkWorld;
beforeEach(async () => {
  world = await openSdkWorld();
});
afterEach(() => world.close());

const stored = async (): Promise<Score[]> => {
  const { fetch, seed } = world.app;
  const reply = await fetch(`/v1/scores?projectId=${seed.projectId}`, { bearer: seed.bearer });
  return ((await reply.json()) as { scores: Score[] }).scores;
};

test('a score is of the current trace, of the given one, or of a session; one that is refused takes no other with it', async () => {
  const { client, problems } = world;
  const traceId = client.trace('run', (span) => {
    client.score({ name: 'helpful', value: true, comment: 'Solved it' });
    return span.traceId;
  });
  client.score({ name: 'quality', value: 0.5, traceId: 'other', spanId: 's', scoreId: 'q1' });
  client.score({ name: 'quality', value: 'good', traceId: 'other' });
  client.score({ name: 'tone', value: 'kind', sessionId: 'chat' });
  client.score({ name: 'lost', value: 1 });
  await client.flush();
  const found = (await stored()).map((one) => [one.name, one.value, one.traceId ?? one.sessionId]);
  expect(found.sort()).toEqual([
    ['helpful', true, traceId],
    ['quality', 0.5, 'other'],
    ['tone', 'kind', 'chat'],
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    '1 scores were not stored: outside of a trace, a score needs traceId or sessionId',
    '1 scores were not stored: value: quality must be a number',
  ]);
  client.score({ name: 'quality', value: 0.75, traceId: 'other', spanId: 's', scoreId: 'q1' });
  await client.flush();
  expect((await stored()).filter(({ name }) => name === 'quality').map(({ value }) => value)).toEqual([0.75]);
});

test('scores wait for a server that is away, and are stored once', async () => {
  const send = fetchOf(world.app);
  let lost = 2;
  const problems: Problem[] = [];
  const client = createClient({
    apiKey: world.app.seed.apiKey,
    baseUrl: 'http://ledger.test',
    env: {},
    onProblem: (problem) => void problems.push(problem),
    fetch: async (url, init) => {
      if (lost === 2) {
        lost--;
        throw new Error('connect ECONNREFUSED');
      }
      const reply = await send(url, init);
      // Stored, but the answer is lost.
      if (lost-- === 1) throw new Error('socket hang up');
      return reply;
    },
  });
  client.score({ name: 'helpful', value: false, traceId: 't1' });
  await client.flush({ timeoutMs: 30_000 });
  expect((await stored()).map(({ name, value }) => [name, value])).toEqual([['helpful', false]]);
  expect(problems).toEqual([]);
});
