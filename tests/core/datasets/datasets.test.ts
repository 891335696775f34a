import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eq, sql } from 'drizzle-orm';
import { sweepJob } from '../../../src/core/datasets/change/sweep-datasets.ts';
import type {
  ChangeOutcome,
  Dataset,
  DatasetItem,
  DatasetVersion,
  ImportReply,
} from '../../../src/core/datasets/contract.ts';
import { datasetItems, datasets } from '../../../src/core/datasets/table.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { openTestApp, type TestApp, type TestRequest } from '../../helpers/app.ts';
import { asker, everyRole } from '../../helpers/people.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
let people: Awaited<ReturnType<typeof everyRole>>;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
  ask = asker(world);
  people = await everyRole(world);
});
afterAll(() => world.close());

const url = (path: string, query: Readonly<Record<string, string>> = {}): string =>
  `/v1/datasets${path}?${new URLSearchParams({ projectId: world.seed.projectId, ...query })}`;
const send = async <T>(method: string, path: string, json?: unknown): Promise<T> => {
  const { status, body } = await ask(method, path, people.member.bearer, json);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as T;
};
let made = 0;
const make = async (items: readonly object[] = [], name = `set ${made++}`): Promise<Dataset> => {
  const { id } = await send<Dataset>('POST', url(''), { name });
  if (items.length > 0) await change(id, { items });
  return send<Dataset>('GET', url(`/${id}`));
};
const change = (id: string, body: object) => send<ChangeOutcome>('POST', url(`/${id}/items`), body);
type Page = { version: number; items: DatasetItem[]; nextCursor: string | null };
const read = (id: string, query: Readonly<Record<string, string>> = {}) =>
  send<Page>('GET', url(`/${id}/items`, query));
const inputs = async (id: string, query: Readonly<Record<string, string>> = {}): Promise<unknown[]> =>
  (await read(id, query)).items.map(({ input }) => input);
async function upload(
  id: string,
  body: string,
  query: Readonly<Record<string, string>>,
): Promise<{ status: number; body: ImportReply & { error: string } }> {
  const init: TestRequest = { method: 'POST', bearer: people.member.bearer, body };
  const reply = await world.fetch(url(`/${id}/import`, query), init);
  return { status: reply.status, body: (await reply.json()) as ImportReply & { error: string } };
}

describe('versions', () => {
  test('each change makes one, and old ones can be read', async () => {
    const { id } = await make([
      { id: 'a', input: 'a1', split: 'train' },
      { id: 'b', input: { text: 'b1' }, expectedOutput: [1], metadata: { k: null } },
    ]);
    expect(
      await change(id, {
        items: [
          { id: 'a', input: 'a2' },
          { id: 'c', input: 'c1' },
        ],
        remove: ['b', 'no'],
      }),
    ).toEqual({ version: 2, added: 1, changed: 1, removed: 1, unchanged: 0 });
    expect(await inputs(id)).toEqual(['a2', 'c1']);
    expect(await inputs(id, { version: '1' })).toEqual(['a1', { text: 'b1' }]);
    expect(await change(id, { items: [{ id: 'c', input: 'c1' }] })).toMatchObject({
      version: 2,
      unchanged: 1,
    });
    expect(await change(id, { items: [{ id: 'b', input: 'b2' }] })).toMatchObject({ version: 3, added: 1 });
    expect((await read(id)).items.map(({ id: item, no }) => [item, no])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    const { versions } = await send<{ versions: DatasetVersion[] }>('GET', url(`/${id}/versions`));
    expect(
      versions.map(({ version, added, changed, removed }) => [version, added, changed, removed]),
    ).toEqual([
      [3, 1, 0, 0],
      [2, 1, 1, 1],
      [1, 2, 0, 0],
    ]);
    const { status, body } = await ask('GET', url(`/${id}/items`, { version: '4' }), people.viewer.bearer);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('versions 1 to 3') }),
    ]);
  });

  test('an id that a request names twice gets its last content', async () => {
    const { id } = await make();
    const items = [1, 2, 3].map((input) => ({ id: 'a', input }));
    expect(await change(id, { items })).toEqual({
      version: 1,
      added: 1,
      changed: 0,
      removed: 0,
      unchanged: 0,
    });
    expect(await inputs(id)).toEqual([3]);
    expect(await change(id, { items })).toMatchObject({ version: 2, changed: 1 });
    expect(await inputs(id)).toEqual([3]);
    expect(await inputs(id, { version: '1' })).toEqual([3]);
  });

  test('equal a replay of random changes at each version, in pages and by split', async () => {
    const seed = Number(Bun.env.TEST_SEED ?? 7);
    let state = seed;
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const { id } = await make();
    type Kept = { no: number; input: number; split: string | null };
    let now = new Map<string, Kept>();
    const numbers = new Map<string, number>();
    const history: Map<string, Kept>[] = [now];
    for (let round = 0; round < 12; round++) {
      now = new Map(now);
      const remove = Array.from({ length: random(4) }, () => `i${random(20)}`);
      const items = Array.from({ length: 1 + random(8) }, () => ({
        id: `i${random(20)}`,
        input: random(3),
        split: [null, 'x', 'y'][random(3)] ?? null,
      }));
      const before = JSON.stringify([...now]);
      for (const one of remove) now.delete(one);
      for (const item of items) {
        const no = numbers.get(item.id) ?? numbers.size + 1;
        numbers.set(item.id, no);
        now.set(item.id, { no, input: item.input, split: item.split });
      }
      const { version } = await change(id, { items, remove });
      if (version === history.length) history.push(now);
      else expect([seed, JSON.stringify([...now])]).toEqual([seed, before]);
    }
    for (const [version, kept] of history.entries()) {
      if (version === 0) continue;
      for (const split of [undefined, 'x']) {
        const expected = [...kept]
          .filter(([, one]) => split === undefined || one.split === split)
          .sort(([, a], [, b]) => a.no - b.no)
          .map(([item, { input }]) => [item, input]);
        const seen: unknown[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page: Page = await read(id, {
            version: String(version),
            limit: '3',
            ...(cursor !== '' && { cursor }),
            ...(split !== undefined && { split }),
          });
          seen.push(...page.items.map((item) => [item.id, item.input]));
          cursor = page.nextCursor;
        }
        expect([seed, version, split, seen]).toEqual([seed, version, split, expected]);
      }
    }
    const counts = await send<Dataset>('GET', url(`/${id}`));
    expect([seed, counts.items, counts.splits.reduce((sum, { items }) => sum + items, 0)]).toEqual([
      seed,
      now.size,
      now.size,
    ]);
  });

  test('parallel changes each make their own', async () => {
    const { id } = await make();
    const done = await Promise.all(
      Array.from({ length: 10 }, (_, i) => change(id, { items: [{ id: `p${i}`, input: i }] })),
    );
    expect(done.map(({ version }) => version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await make()).version).toBe(0);
    expect((await read(id)).items).toHaveLength(10);
  });
});

describe('files', () => {
  test('a CSV is mapped, tried and imported as one version', async () => {
    const { id } = await make();
    const csv = 'nr,question,answer,team\n1,"What, exactly?",Nothing,a\n2,"{""a"":1}",,b\n';
    const mapping = JSON.stringify({ input: ['question', 'team'], expectedOutput: 'answer', id: 'nr' });
    const tried = await upload(id, csv, { format: 'csv', mapping, dryRun: 'true' });
    expect(tried.body).toMatchObject({ rows: 2, valid: 2, errors: [], outcome: null });
    expect(tried.body.sample).toEqual([
      { id: '1', input: { question: 'What, exactly?', team: 'a' }, expectedOutput: 'Nothing' },
      { id: '2', input: { question: { a: 1 }, team: 'b' } },
    ]);
    expect((await read(id)).items).toEqual([]);
    const query = { format: 'csv', mapping, split: 'test', message: 'from the sheet' };
    expect((await upload(id, csv, query)).body.outcome).toEqual({
      version: 1,
      added: 2,
      changed: 0,
      removed: 0,
      unchanged: 0,
    });
    expect((await upload(id, csv, query)).body.outcome).toMatchObject({ version: 1, unchanged: 2 });
    expect((await read(id)).items.map(({ split }) => split)).toEqual(['test', 'test']);
  });

  test('columns are found by their names, and without an input all others are it', async () => {
    const { id } = await make();
    const csv = '\ufeffquestion;context;expected\r\nWho?;here;me\r\n';
    const { body } = await upload(id, csv, { format: 'csv' });
    expect(body.mapping).toEqual({ input: ['question', 'context'], expectedOutput: 'expected' });
    expect((await read(id)).items[0]).toMatchObject({
      input: { question: 'Who?', context: 'here' },
      expectedOutput: 'me',
    });
  });

  test('wrong rows are named, and refuse the file or are left out', async () => {
    const { id } = await make();
    const lines = '{"input":"a"}\n{"expectedOutput":1}\nnonsense\n\n{"input":"b","split":7}\n[1]\n';
    const refused = await upload(id, lines, { format: 'jsonl' });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      '3 of 5 rows are no items, the first in line 2: has no input. Correct the file, or set skipInvalid=true',
    ]);
    const { body } = await upload(id, lines, { format: 'jsonl', skipInvalid: 'true' });
    expect(body.errors.map(({ line }) => line)).toEqual([2, 3, 6]);
    expect(body.outcome).toMatchObject({ added: 2 });
  });

  test.each([
    ['csv', 'a\n', 'the file has no rows below its header row'],
    ['csv', 'a,a\n1,2\n', 'the file has two columns a; rename one'],
    ['jsonl', '', 'the file has no items'],
    ['json', '{}', 'the file is not a JSON list; send a list of objects'],
  ])('%s %p is refused', async (format, file, error) => {
    const { id } = await make();
    expect(await upload(id, file, { format })).toMatchObject({ status: 400, body: { error } });
  });

  test('what was exported as JSON Lines is imported the same', async () => {
    const format = 'jsonl';
    const items = [
      { id: 'x', input: '=1+1', expectedOutput: { a: [1, 'zwei'] }, metadata: { k: 'v' }, split: 's' },
      { id: 'y', input: [null, true], sourceTraceId: 't1', sourceSpanId: 's1' },
      ...Array.from({ length: 600 }, (_, i) => ({ id: `n${i}`, input: i })),
    ];
    const from = await make(items.slice(0, 400));
    await change(from.id, { items: items.slice(400) });
    const file = await world.fetch(url(`/${from.id}/export`, { format }), { bearer: people.viewer.bearer });
    const text = await file.text();
    const into = await make();
    const { body } = await upload(into.id, text, { format });
    expect([body.error, body.rows, body.errors]).toEqual([undefined, 602, []] as never);
    const plain = ({ createdAt: _, version: __, ...item }: DatasetItem) => item;
    const [a, b] = await Promise.all([from.id, into.id].map((id) => read(id, { limit: '500' })));
    expect(b?.items.map(plain)).toEqual(a?.items.map(plain));
  });

  test('a CSV of items cannot run in a spreadsheet', async () => {
    const { id } = await make([{ id: 'x', input: '=HYPERLINK("x")' }]);
    const file = await world.fetch(url(`/${id}/export`, { format: 'csv' }), { bearer: people.viewer.bearer });
    expect(await file.text()).toContain(`"'=HYPERLINK(""x"")"`);
  });

  test('an import that a crash cut off leaves nothing, and frees its dataset', async () => {
    const { id } = await make([{ id: 'a', input: 1 }]);
    const { db, now } = world.app.ctx;
    // As a process that was killed between two slices leaves it.
    await db.sql
      .update(datasets)
      .set({ busy: 'gone', busyAt: new Date(now()) })
      .where(eq(datasets.id, id));
    await db.sql.run(sql`UPDATE dataset_items SET to_version = 2 WHERE dataset_id = ${id}`);
    await db.sql.run(
      sql`INSERT INTO dataset_items (dataset_id, project, no, from_version, id, input, bytes, created_at)
          SELECT dataset_id, project, no, 2, id, '2', 1, created_at FROM dataset_items WHERE dataset_id = ${id}`,
    );
    expect(await inputs(id)).toEqual([1]);
    const busy = await ask('POST', url(`/${id}/items`), people.member.bearer, { items: [{ input: 5 }] });
    expect(busy).toMatchObject({ status: 409 });
    world.clock.advance(61_000);
    await runJob(world.app.ctx, sweepJob, 'manual');
    expect(await change(id, { items: [{ input: 5 }] })).toMatchObject({ version: 2 });
    expect(await inputs(id)).toEqual([1, 5]);
    expect(await db.sql.select().from(datasetItems).where(eq(datasetItems.datasetId, id))).toHaveLength(2);
  });
});

describe('who may', () => {
  test('viewers read; names are unique; a deleted one is gone with its items', async () => {
    const { id, name } = await make([{ input: 1 }]);
    const [viewer, member] = [people.viewer.bearer, people.member.bearer];
    expect((await ask('GET', url(`/${id}`), viewer)).status).toBe(200);
    expect((await ask('POST', url(''), viewer, { name: 'x' })).status).toBe(403);
    expect(await ask('POST', url(''), member, { name })).toMatchObject({
      status: 409,
      body: { error: `There is a dataset ${name} already; choose another name` },
    });
    expect((await ask('DELETE', url(`/${id}`), member)).status).toBe(204);
    expect((await ask('GET', url(`/${id}`), viewer)).status).toBe(404);
    const left = await world.app.ctx.db.sql.select().from(datasetItems).where(eq(datasetItems.datasetId, id));
    expect(left).toEqual([]);
    expect((await ask('POST', url(''), member, { name })).status).toBe(201);
  });

  test('another organization sees and changes nothing', async () => {
    const { id } = await make([{ input: 'secret' }]);
    const other = await world.addTenant();
    const own = (path: string) => `/v1/datasets/${id}${path}?projectId=${other.projectId}`;
    for (const path of ['', '/items', '/versions', '/export'])
      expect([path, (await ask('GET', own(path), other.bearer)).status]).toEqual([path, 404]);
    expect((await ask('POST', own('/items'), other.bearer, { items: [{ input: 1 }] })).status).toBe(404);
    expect((await ask('DELETE', own(''), other.bearer)).status).toBe(404);
    expect((await read(id)).items).toHaveLength(1);
  });

  test('erasing an end user deletes their items in all versions', async () => {
    const { id } = await make([
      { id: 'mine', input: 'private', userId: 'user-9' },
      { id: 'other', input: 'public', userId: 'user-1' },
    ]);
    await change(id, { items: [{ id: 'mine', input: 'private too', userId: 'user-9' }] });
    const path = `/v1/projects/${world.seed.projectId}/erasures`;
    expect((await ask('POST', path, people.owner.bearer, { userId: 'user-9' })).status).toBe(202);
    await runJob(world.app.ctx, erasureJob, 'manual');
    expect(await inputs(id)).toEqual(['public']);
    expect(await inputs(id, { version: '1' })).toEqual(['public']);
  });
});

describe('stored traces', () => {
  test('become items once, with their content, user and source; without content they are refused', async () => {
    const { projectId, apiKey } = world.seed;
    const store = (storePrompts: boolean) =>
      ask('PUT', `/v1/projects/${projectId}/sdk-config`, people.owner.bearer, { storePrompts });
    const ingest = async (events: readonly object[]): Promise<void> => {
      expect((await world.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    };
    const call = { provider: 'openai', model: 'gpt-4o', user_id: 'user-3' };
    await store(true);
    await ingest([
      { trace_id: 's-1', span_id: 'root', kind: 'agent', name: 'run' },
      { trace_id: 's-1', span_id: 'call', parent_span_id: 'root', ...call, input: 'Hello?', output: 'Hi!' },
      { trace_id: 's-2', span_id: 'root', ...call, input: [{ role: 'user', content: 'Hey' }], output: 'Ho' },
    ]);
    await store(false);
    await ingest([{ trace_id: 's-3', span_id: 'root', ...call, input: 'x', output: 'y' }]);
    const { id } = await make();
    const add = (targets: readonly object[], more: object = {}) =>
      ask('POST', url(`/${id}/items/stored`), people.member.bearer, { targets, ...more });
    const both = [{ traceId: 's-1' }, { traceId: 's-2' }];
    expect((await add(both, { split: 'test' })).body).toMatchObject({ version: 1, added: 2, skipped: [] });
    // The same again makes no version.
    expect((await add(both, { split: 'test' })).body).toMatchObject({ version: 1, unchanged: 2 });
    expect((await read(id)).items).toMatchObject([
      { id: 's-1', input: 'Hello?', expectedOutput: 'Hi!', split: 'test', sourceTraceId: 's-1' },
      { id: 's-2', expectedOutput: 'Ho', sourceTraceId: 's-2', sourceSpanId: 'root' },
    ]);
    expect((await add([{ traceId: 's-1', spanId: 'call' }], { expected: 'none' })).body).toMatchObject({
      added: 1,
    });
    expect((await read(id)).items[2]).toMatchObject({ id: 's-1:call', expectedOutput: null });
    expect(await add([...both, { traceId: 's-3' }])).toEqual({
      status: 400,
      body: expect.objectContaining({
        error: expect.stringContaining('1 of 3 traces have no stored content, the first s-3'),
      }),
    });
    const { body } = await add([{ traceId: 's-3' }], { skipMissing: true });
    expect(body).toMatchObject({ added: 0, skipped: ['s-3'] });
    expect((await add([{ traceId: 'nothing' }])).status).toBe(404);
    // Their end user is erased with them.
    await ask('POST', `/v1/projects/${projectId}/erasures`, people.owner.bearer, { userId: 'user-3' });
    await runJob(world.app.ctx, erasureJob, 'manual');
    expect((await read(id)).items).toEqual([]);
  });
});
