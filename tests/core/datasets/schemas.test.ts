import { afterAll, beforeAll, expect, test } from 'bun:test';
import { datasetActions } from '../../../src/core/datasets/actions.ts';
import type {
  ChangeOutcome,
  Dataset,
  DatasetItem,
  ImportReply,
} from '../../../src/core/datasets/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker } from '../../helpers/people.ts';

const QUESTION = {
  type: 'object',
  required: ['question'],
  properties: { question: { type: 'string', pattern: '^[A-Z]' } },
  additionalProperties: false,
};
const LABEL = { enum: ['positive', 'negative'] };

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
});
afterAll(() => world.close());

const url = (path: string, query: Readonly<Record<string, string>> = {}): string =>
  `/v1/datasets${path}?${new URLSearchParams({ projectId: world.seed.projectId, ...query })}`;
const ask = (method: string, path: string, json?: unknown) =>
  asker(world)(method, path, world.seed.bearer, json);
async function send<T>(method: string, path: string, json?: unknown): Promise<T> {
  const { status, body } = await ask(method, path, json);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as T;
}
let made = 0;
const make = (schemas: object = { inputSchema: QUESTION, expectedSchema: LABEL }): Promise<Dataset> =>
  send('POST', url(''), { name: `set ${made++}`, ...schemas });
const add = (id: string, items: readonly object[]) => ask('POST', url(`/${id}/items`), { items });
const items = async (id: string): Promise<DatasetItem[]> =>
  (await send<{ items: DatasetItem[] }>('GET', url(`/${id}/items`))).items;
async function upload(
  id: string,
  body: string,
  query: Readonly<Record<string, string>>,
): Promise<[number, ImportReply & { error: string }]> {
  const reply = await world.fetch(url(`/${id}/import`, query), {
    method: 'POST',
    bearer: world.seed.bearer,
    body,
  });
  return [reply.status, (await reply.json()) as ImportReply & { error: string }];
}

test('items that do not fit are refused, all or none, with the item and the path', async () => {
  const { id } = await make();
  const good = { id: 'q-1', input: { question: 'Why?' }, expectedOutput: 'positive' };
  expect(await add(id, [good, { input: { question: 'How?' } }])).toMatchObject({ status: 200 });
  const { status, body } = await add(id, [
    { id: 'q-2', input: { question: 'Who?' } },
    { id: 'q-3', input: { question: 'lower' } },
    { id: 'q-4', input: 'text' },
  ]);
  expect([status, body]).toMatchObject([
    400,
    {
      error: expect.stringMatching(
        /^items\.1 \(q-3\): input: \/question: .*pattern.*; 2 of 3 items do not fit the schemas of the dataset$/,
      ),
    },
  ]);
  const label = await add(id, [{ input: { question: 'Why?' }, expectedOutput: 'so-so' }]);
  expect(label).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^items\.0: expectedOutput: /) },
  });
  expect((await items(id)).length).toBe(2);
});

test('a dry run lists the rows that do not fit, and the import refuses or skips them', async () => {
  const { id } = await make();
  const file = 'question,expected\nWhy?,positive\nwhy?,positive\nHow?,perhaps\n';
  const query = {
    format: 'csv',
    mapping: JSON.stringify({ input: ['question'], expectedOutput: 'expected' }),
  };
  const [status, dry] = await upload(id, file, { ...query, dryRun: 'true' });
  expect([status, dry.rows, dry.valid, dry.outcome]).toEqual([200, 3, 1, null]);
  expect(dry.errors.map(({ line, error }) => [line, error.split(':')[0]])).toEqual([
    [3, 'input'],
    [4, 'expectedOutput'],
  ]);
  expect(await upload(id, file, query)).toMatchObject([
    400,
    { error: expect.stringContaining('in line 3: input: /question') },
  ]);
  expect(await upload(id, file, { ...query, skipInvalid: 'true' })).toMatchObject([
    200,
    { outcome: { added: 1 } },
  ]);
});

test('schemas change with the dataset; items that are there stay until they change', async () => {
  const { id, name, inputSchema } = await make({});
  expect(inputSchema).toBeNull();
  await add(id, [{ id: 'old', input: 7 }]);
  const put = (body: object) => ask('PUT', url(`/${id}`), { name, description: '', ...body });
  expect(await put({ inputSchema: QUESTION })).toMatchObject({
    status: 200,
    body: { inputSchema: QUESTION, expectedSchema: null },
  });
  // What a change leaves out stays.
  expect(await put({ expectedSchema: LABEL })).toMatchObject({
    body: { inputSchema: QUESTION, expectedSchema: LABEL },
  });
  expect((await items(id)).map(({ input }) => input)).toEqual([7]);
  expect((await add(id, [{ id: 'old', input: 8 }])).status).toBe(400);
  expect(await put({ inputSchema: null, expectedSchema: null })).toMatchObject({
    body: { inputSchema: null },
  });
  expect((await add(id, [{ id: 'old', input: 8 }])).status).toBe(200);
  expect(await put({ inputSchema: { $ref: 'https://example.com' } })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^inputSchema: /) },
  });
});

test('an item that was checked with other schemas is not written', async () => {
  const { id, name } = await make({});
  // Each of the changes waits for the writer: whichever is first, no item is there that the schema refuses.
  const [, added] = await Promise.all([
    ask('PUT', url(`/${id}`), { name, description: '', inputSchema: QUESTION }),
    add(id, [{ input: 7 }]),
  ]);
  const outcome = added.status === 200 ? 'before' : 'after';
  expect([200, 400, 409]).toContain(added.status);
  expect([outcome, (await items(id)).length]).toEqual([outcome, outcome === 'before' ? 1 : 0]);
});

test('a value that takes too many steps is refused instead of checked to the end', async () => {
  const anyOf = Array.from({ length: 200 }, (_, i) => ({ const: i }));
  const { id } = await make({ inputSchema: { items: { anyOf } } });
  const input = Array.from({ length: 2_000 }, () => 'x');
  expect(await add(id, [{ input }, { input: [3] }])).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('items.0: input: it is too large or too deep') },
  });
});

test('the command line sets schemas with an import, and a dry run only checks', async () => {
  const { id, name } = await make({});
  const [importItems] = datasetActions;
  const content = Buffer.from(
    Bun.gzipSync(Buffer.from('{"input":{"question":"why?"}}\n{"input":{"question":"Why?"}}\n')),
  ).toString('base64');
  const input = {
    project: world.seed.projectId,
    dataset: name,
    format: 'jsonl' as const,
    content,
    mapping: {},
    inputSchema: QUESTION,
  };
  const dry = (await world.app.act(importItems, { ...input, dryRun: true })) as ImportReply;
  expect(dry.errors).toMatchObject([{ line: 1 }]);
  expect((await send<Dataset>('GET', url(`/${id}`))).inputSchema).toBeNull();
  const done = (await world.app.act(importItems, { ...input, skipInvalid: true })) as {
    outcome: ChangeOutcome;
  };
  expect(done.outcome).toMatchObject({ added: 1 });
  expect((await send<Dataset>('GET', url(`/${id}`))).inputSchema).toEqual(QUESTION);
});
