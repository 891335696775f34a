import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { EventPage, StoredEvent } from '../../../src/core/events/contract.ts';
import { EVENT_FIELDS } from '../../../src/core/events/index.ts';
import { openParquetFile, type ParquetFile } from '../../../src/core/parquet/index.ts';
import { PARQUET_COLUMNS } from '../../../src/features/events/parquet-columns.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { randomBelow } from '../../helpers/random.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app.close());

type Row = Record<string, unknown>;

const openFile = (): Promise<ParquetFile<StoredEvent>> => openParquetFile('events', PARQUET_COLUMNS);

const metadataOf = (file: ArrayBuffer): FileMetaData => parquetMetadata(file);

const compressors = { ZSTD: (page: Uint8Array): Uint8Array => Bun.zstdDecompressSync(page) };

/** The file's rows as the API returns events, read by another library than the one that wrote them. */
async function readRows(file: ArrayBuffer): Promise<Row[]> {
  const rows: Row[] = await parquetReadObjects({
    file,
    compressors,
  });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(EVENT_FIELDS).flatMap(([name, type]): [string, unknown][] => {
        const value = row[name];
        if (value === null || value === undefined)
          return name === 'input' || name === 'output' ? [] : [[name, null]];
        if (type === 'json') return [[name, JSON.parse(value as string)]];
        if (type === 'integer') return [[name, Number(value as bigint)]];
        return [[name, type === 'time' ? (value as Date).toISOString() : value]];
      }),
    ),
  );
}

const get = (query: string): Promise<Response> =>
  app.fetch(`/v1/events/export?projectId=${app.seed.projectId}${query}`, { bearer: app.seed.bearer });

async function record(events: readonly object[]): Promise<void> {
  for (let at = 0; at < events.length; at += 100) {
    const batch = events.slice(at, at + 100);
    const { status } = await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events: batch });
    expect(status).toBe(202);
  }
}

/** What the NDJSON export says, which the list's test compares with the API's events. */
const exported = async (query = ''): Promise<Row[]> =>
  (await (await get(`&kind=all${query}`)).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** An event as files get it. */
const storedEvent = async (): Promise<StoredEvent> => {
  const path = `/v1/events?projectId=${app.seed.projectId}`;
  const page = (await (await app.fetch(path, { bearer: app.seed.bearer })).json()) as EventPage;
  const [event] = page.events;
  if (event === undefined) throw new Error('the event was not stored');
  return event;
};

test('a Parquet file has every field of every event, newest first, in row groups', async () => {
  const below = randomBelow();
  const pick = <T>(...of: T[]): T => of[below(of.length)] as T;
  const events = Array.from({ length: 6_100 }, (_, i) => ({
    kind: pick('llm', 'llm', 'tool'),
    provider: 'openai',
    model: pick('gpt-4o', 'gpt-4o-mini', 'no-such-model'),
    timestamp: new Date(TEST_NOW - 100_000 + i * 7).toISOString(),
    input_tokens: below(5_000),
    latency_ms: pick(null, 12.25, 840),
    status: pick('success', 'error'),
    error_message: pick(null, 'zu spät: 日本語 👩‍👩‍👧 \u0007 "quoted"'),
    user_id: pick(null, '', 'u-1', 'Ünï\u2028cøde'),
    tags: pick(null, { team: 'support', n: 1, ключ: ['a', null] }),
    metadata: pick(null, { deep: { a: [1.5, true] } }),
    usage: pick(null, { prompt_tokens: 7 }),
  }));
  await record(events);
  const response = await get('&kind=all&format=parquet');
  expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  expect(response.headers.get('content-disposition')).toMatch(/\.parquet"$/);
  const file = await response.arrayBuffer();
  expect(metadataOf(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([5_000, 1_100]);
  expect(await readRows(file)).toEqual(await exported());
}, 60_000);

test('fields have the types that the reference states', async () => {
  const { schema } = metadataOf(await (await get('&format=parquet')).arrayBuffer());
  const element = (name: string): Row => {
    const { type, converted_type, logical_type } = schema.find((one) => one.name === name) ?? {};
    return { type, converted_type, logical_type };
  };
  expect(element('timestamp')).toEqual({
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  });
  expect([element('input_tokens').type, element('cost_usd').type, element('counted').type]).toEqual([
    'INT64',
    'DOUBLE',
    'BOOLEAN',
  ]);
  for (const name of ['tags', 'metadata', 'usage', 'input', 'output', 'model'])
    expect(element(name)).toMatchObject({ type: 'BYTE_ARRAY', converted_type: 'UTF8' });
});

test('prompts are in the file if the project stores them', async () => {
  const { projectId, bearer } = app.seed;
  const json = { storePrompts: true };
  const set = await app.fetch(`/v1/projects/${projectId}/sdk-config`, { method: 'PUT', bearer, json });
  expect(set.status).toBe(200);
  await record([
    { provider: 'openai', model: 'gpt-4o', input: 'plain text', output: { role: 'assistant', text: '✓' } },
  ]);
  const rows = await readRows(await (await get('&format=parquet')).arrayBuffer());
  expect(rows).toEqual(await exported());
  expect(rows).toMatchObject([{ input: 'plain text', output: { role: 'assistant', text: '✓' } }]);
});

test('a selection without events is a file without rows', async () => {
  const file = await (await get('&format=parquet&model=none')).arrayBuffer();
  expect([Number(metadataOf(file).num_rows), await readRows(file)]).toEqual([0, []]);
});

test('other work gets its turn between the columns of a row group', async () => {
  await record([{ provider: 'openai', model: 'gpt-4o' }]);
  const event = await storedEvent();
  let turns = 0;
  let isWriting = true;
  const count = async (): Promise<void> => {
    for (; isWriting; turns++) await new Promise(setImmediate);
  };
  const counted = count();
  const bytes = await (await openFile()).write(Array.from({ length: 5_000 }, () => event));
  isWriting = false;
  await counted;
  expect(bytes.length).toBeGreaterThan(0);
  expect(turns).toBeGreaterThanOrEqual(Object.keys(event).length);
});

test('100,000 events come out as they went in, and no more than a row group is held', async () => {
  await record([{ provider: 'openai', model: 'gpt-4o', tags: { team: 'a' } }]);
  const event = await storedEvent();
  const file = await openFile();
  const parts: Uint8Array[] = [];
  for (let at = 0; at < 100_000; at += 500) {
    const page = Array.from({ length: 500 }, (_, i) => ({
      ...event,
      input_tokens: at + i,
      user_id: `u-${at + i}`,
    }));
    parts.push(await file.write(page));
  }
  parts.push(await file.end());
  expect(parts.filter((part) => part.length > 0).length).toBe(22);
  const bytes = await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer();
  expect(metadataOf(bytes).row_groups).toHaveLength(20);
  const rows = await readRows(bytes);
  expect(rows).toHaveLength(100_000);
  expect(rows.every((row, i) => row.input_tokens === i && row.user_id === `u-${i}`)).toBe(true);
  expect({ ...rows[77_777], input_tokens: 0, user_id: null }).toEqual({
    ...event,
    input_tokens: 0,
    user_id: null,
  });
}, 60_000);
