import { afterAll, beforeAll, expect, test } from 'bun:test';
import type {
  AddedItems,
  AnnotationQueue,
  AnnotationTask,
  QueueDetail,
  QueueItem,
} from '../../../src/core/annotation-queues/contract.ts';
import { deleteExpiredItems } from '../../../src/core/annotation-queues/jobs.ts';
import { isSampled } from '../../../src/core/events/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import type { Score } from '../../../src/core/scores/contract.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole, type Person } from '../../helpers/people.ts';
import { randomBelow } from '../../helpers/random.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
let people: Awaited<ReturnType<typeof everyRole>>;
const TRACES = Array.from({ length: 30 }, (_, i) => `trace-${i}`);
const QUEUES = 'annotation-queues';

const url = (path: string): string =>
  `/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${world.seed.projectId}`;
async function send<T>(method: string, path: string, json?: unknown, by: Person = people.member): Promise<T> {
  const { status, body } = await ask(method, url(path), by.bearer, json);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body as T;
}
async function refused(method: string, path: string, json?: unknown, by: Person = people.member) {
  const { status, body } = await ask(method, url(path), by.bearer, json);
  return [status, (body as { error: string }).error] as const;
}
let made = 0;
const make = (more: object): Promise<AnnotationQueue & AddedItems> =>
  send('POST', QUEUES, { name: `queue ${made++}`, scoreNames: ['helpful'], ...more });
const pick = (...names: readonly string[]) => names.map((traceId) => ({ traceId }));
const claim = async (id: string, by: Person): Promise<AnnotationTask | null> =>
  (await send<{ task: AnnotationTask | null }>('POST', `${QUEUES}/${id}/claim`, undefined, by)).task;
const annotate = (id: string, no: number, body: object, by: Person = people.member) =>
  send<AnnotationTask>('PUT', `${QUEUES}/${id}/items/${no}/annotation`, body, by);
const detail = (id: string, by: Person = people.member) =>
  send<QueueDetail>('GET', `${QUEUES}/${id}`, undefined, by);
const list = async (id: string, query = ''): Promise<QueueItem[]> =>
  (await send<{ items: QueueItem[] }>('GET', `${QUEUES}/${id}/items?limit=200${query}`)).items;
const scores = async (query: string): Promise<Score[]> =>
  (await send<{ scores: Score[] }>('GET', `scores?limit=200&${query}`)).scores;

beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
  ask = asker(world);
  people = await everyRole(world);
  const events = TRACES.map((trace, i) => ({
    trace_id: trace,
    span_id: 'root',
    provider: 'openai',
    model: 'gpt-4o',
    user_id: i === 7 ? 'gone' : `user-${i % 3}`,
    environment: i % 2 === 0 ? 'production' : 'staging',
    input: 'Hello?',
    output: 'Hi!',
    timestamp: new Date(world.clock.now() - (30 - i) * MINUTE_MS).toISOString(),
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  await send('POST', 'score-definitions', { name: 'helpful', type: 'boolean' });
  await send('POST', 'score-definitions', { name: 'quality', type: 'numeric', min: 1, max: 5 });
  await send('POST', 'score-definitions', { name: 'tone', type: 'category', categories: ['warm', 'cold'] });
});
afterAll(() => world.close());

test('people get the items one by one, score them, and the queue counts', async () => {
  const { id, added, items } = await make({
    scoreNames: ['helpful', 'quality'],
    items: pick('trace-0', 'trace-1', 'trace-2'),
  });
  expect([added, items]).toEqual([3, 3]);
  const first = await claim(id, people.member);
  expect(first).toMatchObject({ no: 1, traceId: 'trace-0', spanId: null, previous: null, next: 2 });
  expect(first?.event?.id).toBeString();
  // The same until it is done; another person gets the next one.
  expect((await claim(id, people.member))?.no).toBe(1);
  expect((await claim(id, people.admin))?.no).toBe(2);
  const saved = await annotate(id, 1, { scores: { helpful: true, quality: 4 }, comment: 'Right page' });
  expect(saved).toMatchObject({
    state: 'done',
    scores: { helpful: true, quality: 4 },
    comment: 'Right page',
  });
  expect((await claim(id, people.member))?.no).toBe(3);
  await annotate(id, 3, { skip: true });
  expect(await claim(id, people.member)).toBeNull();
  expect(await detail(id)).toMatchObject({
    items: 3,
    done: 1,
    annotations: 1,
    mine: { done: 1, skipped: 1, open: 1 },
    people: [{ userId: people.member.userId, done: 1, skipped: 1 }],
    agreement: [],
  });
  const [given] = await scores('traceId=trace-0&name=quality');
  expect(given).toMatchObject({
    value: 4,
    source: 'human',
    createdBy: people.member.userId,
    comment: 'Right page',
  });
  // Sent again, it replaces the values.
  await annotate(id, 1, { scores: { helpful: false, quality: 2 } });
  expect((await scores('traceId=trace-0&name=quality')).map(({ value }) => value)).toEqual([2]);
  expect((await send<AnnotationTask>('GET', `${QUEUES}/${id}/items/1`)).scores).toEqual({
    helpful: false,
    quality: 2,
  });
  expect(await refused('PUT', `${QUEUES}/${id}/items/1/annotation`, { skip: true })).toEqual([
    409,
    'You have scored this item; change its scores instead',
  ]);
  expect((await list(id, '&only=done')).map(({ no }) => no)).toEqual([1]);
  expect((await list(id, '&only=open')).map(({ no }) => no)).toEqual([2, 3]);
});

test('a claim ends after 15 minutes, and many at once never take one place twice', async () => {
  const { id } = await make({ items: pick('trace-3') });
  expect((await claim(id, people.member))?.no).toBe(1);
  expect(await claim(id, people.admin)).toBeNull();
  world.clock.advance(15 * MINUTE_MS + 1);
  expect((await claim(id, people.admin))?.no).toBe(1);
  expect(await claim(id, people.member)).toBeNull();

  const names = TRACES.slice(0, 20);
  const many = await make({ items: pick(...names), annotators: 2 });
  const crowd = [people.owner, people.admin, people.member, await world.addUser('member')];
  const taken = await Promise.all(crowd.map((person) => claim(many.id, person as Person)));
  expect(taken.map((task) => task?.no).toSorted()).toEqual([1, 1, 2, 2]);
});

test('items come from a filter with a sample, and none is added twice', async () => {
  const find = { filter: 'environment:production', limit: 100 };
  const { id, added } = await make({ find });
  expect(added).toBe(15);
  expect(await send<AddedItems>('POST', `${QUEUES}/${id}/items`, { find })).toEqual({ added: 0, known: 15 });
  const { added: half } = await make({ find: { sampleRate: 0.5 } });
  expect(half).toBe(TRACES.filter((trace) => isSampled(trace, 0.5)).length);
  const { added: three } = await make({ find: { limit: 3 } });
  expect(three).toBe(3);
  const mixed = await send<AddedItems>('POST', `${QUEUES}/${id}/items`, {
    items: [{ traceId: 'trace-0' }, { traceId: 'trace-0', spanId: 'root' }],
  });
  expect(mixed).toEqual({ added: 1, known: 1 });
  const removed = (await list(id))[0];
  await send('DELETE', `${QUEUES}/${id}/items/${removed?.no}`);
  expect((await list(id)).length).toBe(15);
});

test('agreement is that of the pairs, and the items that differ can be listed', async () => {
  const below = randomBelow();
  const names = TRACES.slice(0, 12);
  const { id } = await make({
    scoreNames: ['helpful', 'quality', 'tone'],
    annotators: 2,
    items: pick(...names),
  });
  const said: [boolean, boolean][] = [];
  for (let no = 1; no <= names.length; no++) {
    const pair = [below(2) === 0, below(3) > 0] as [boolean, boolean];
    said.push(pair);
    for (const [place, person] of [people.member, people.admin].entries())
      await annotate(
        id,
        no,
        { scores: { helpful: pair[place], quality: 3, tone: no % 2 === 0 ? 'warm' : 'cold' } },
        person,
      );
  }
  const { agreement, done } = await detail(id);
  expect(done).toBe(names.length);
  const [p, q] = [0, 1].map((i) => said.filter((pair) => pair[i as 0 | 1]).length / said.length) as [
    number,
    number,
  ];
  const same = said.filter(([a, b]) => a === b).length;
  const chance = p * q + (1 - p) * (1 - q);
  const kappa = chance === 1 ? null : (same / said.length - chance) / (1 - chance);
  const helpful = agreement.find(({ name }) => name === 'helpful');
  expect(helpful).toMatchObject({ method: 'kappa', items: 12, people: 2, same });
  if (kappa === null) expect(helpful?.value).toBeNull();
  else expect(helpful?.value).toBeCloseTo(kappa, 9);
  expect(agreement.find(({ name }) => name === 'quality')).toMatchObject({ method: 'alpha', value: null });
  expect(agreement.find(({ name }) => name === 'tone')).toMatchObject({ method: 'kappa', value: 1 });
  expect((await list(id, '&only=disagreed')).map(({ no }) => no)).toEqual(
    said.flatMap(([a, b], place) => (a === b ? [] : [place + 1])),
  );
  // A third person: alpha.
  await annotate(id, 1, { scores: { helpful: true, quality: 3, tone: 'cold' } }, people.owner);
  expect((await detail(id)).agreement.find(({ name }) => name === 'helpful')).toMatchObject({
    method: 'alpha',
    people: 3,
  });
});

test('what is wrong is said', async () => {
  const { id } = await make({ assignees: [people.admin.userId], items: pick('trace-4') });
  const item = `${QUEUES}/${id}/items/1/annotation`;
  expect((await refused('POST', `${QUEUES}/${id}/claim`))[0]).toBe(403);
  expect((await refused('PUT', item, { scores: { helpful: true } }))[0]).toBe(403);
  const asAdmin = (body: object) => refused('PUT', item, body, people.admin);
  expect(await asAdmin({ scores: {} })).toEqual([
    400,
    'scores: helpful is missing; give every score of the queue',
  ]);
  expect((await asAdmin({ scores: { helpful: 3 } }))[1]).toContain('helpful must be true or false');
  expect((await asAdmin({ scores: { helpful: true, odd: 1 } }))[1]).toContain('does not ask for odd');
  expect((await asAdmin({}))[1]).toContain('give scores or skip');
  const wrong = (more: object) =>
    refused('POST', QUEUES, { name: 'wrong', scoreNames: ['helpful'], ...more });
  expect((await wrong({ scoreNames: ['nothing'] }))[1]).toContain('there is no score nothing');
  expect((await wrong({ assignees: [people.viewer.userId] }))[1]).toContain('is a viewer');
  expect((await wrong({ assignees: ['nobody'] }))[1]).toContain('is not a member');
  expect((await wrong({ items: pick('trace-x') }))[0]).toBe(404);
  expect((await wrong({ find: { filter: 'nosuch:1' } }))[0]).toBe(400);
  await make({ name: 'twice' });
  expect((await refused('POST', QUEUES, { name: 'twice', scoreNames: ['helpful'] }))[0]).toBe(409);
  expect((await refused('POST', `${QUEUES}/${id}/claim`, undefined, people.viewer))[0]).toBe(403);
  expect((await refused('GET', `${QUEUES}/${id}/items/99`))[0]).toBe(404);
});

test('an erased user and retention take items with them; the deletion of a queue keeps the scores', async () => {
  const { id } = await make({ items: pick('trace-7', 'trace-20') });
  await annotate(id, 1, { scores: { helpful: true } });
  await annotate(id, 2, { scores: { helpful: true } });
  await send('POST', `projects/${world.seed.projectId}/erasures`, { userId: 'gone' }, people.owner);
  await runJob(world.ctx, erasureJob, 'manual', { kind: 'operator' });
  expect(await detail(id)).toMatchObject({ items: 1, done: 1, annotations: 1 });
  expect(await scores('traceId=trace-7')).toEqual([]);
  await send('DELETE', `${QUEUES}/${id}`);
  expect((await refused('GET', `${QUEUES}/${id}`))[0]).toBe(404);
  expect((await scores('traceId=trace-20')).length).toBe(1);

  const late = await make({ items: pick('trace-9') });
  await annotate(late.id, 1, { scores: { helpful: true } });
  world.clock.advance(4_000 * 24 * 60 * MINUTE_MS);
  await deleteExpiredItems.run(world.ctx, new AbortController().signal);
  people = { ...people, ...(await everyRole(world)) };
  expect(await detail(late.id)).toMatchObject({ items: 0, done: 0, annotations: 0, people: [] });
});
