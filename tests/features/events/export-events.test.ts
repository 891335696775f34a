import { afterEach, beforeEach, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app.close());

const COUNT = 1_203;

/** More than two pages of calls, a millisecond apart; every third of another model. */
async function record(): Promise<void> {
  const events = Array.from({ length: COUNT }, (_, i) => ({
    provider: 'openai',
    model: i % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
    timestamp: new Date(TEST_NOW - 10_000 + i).toISOString(),
    input_tokens: i,
    user_id: i === 7 ? '=HYPERLINK("http://evil.example")' : `u-${i}`,
    tags: { note: 'a "quoted", text\nof two lines' },
  }));
  for (let at = 0; at < events.length; at += 100) {
    const response = await app.fetch('/v1/ingest', {
      apiKey: app.seed.apiKey,
      events: events.slice(at, at + 100),
    });
    expect(response.status).toBe(202);
  }
}

const get = (query: string, bearer = app.seed.bearer) =>
  app.fetch(`/v1/events/export?projectId=${app.seed.projectId}${query}`, { bearer });

test('NDJSON has each event once, with all fields of the list, newest first', async () => {
  await record();
  const response = await get('');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="spanledger-events-.*\.ndjson"$/,
  );
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { input_tokens: number });
  expect(lines.map(({ input_tokens }) => input_tokens)).toEqual(
    Array.from({ length: COUNT }, (_, i) => COUNT - 1 - i),
  );
  const list = await app.fetch(`/v1/events?projectId=${app.seed.projectId}&limit=1`, {
    bearer: app.seed.bearer,
  });
  expect(lines[0]).toEqual(((await list.json()) as { events: [(typeof lines)[0]] }).events[0]);
});

test('CSV has one heading, the filters of the list and no formula', async () => {
  await record();
  const text = await (await get('&format=csv')).text();
  const headings = text.split('\r\n').filter((line) => line.startsWith('timestamp,event_id,'));
  expect(headings).toHaveLength(1);
  expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  expect(text).not.toMatch(/,"?=HYPERLINK/);
  const filtered = await (await get('&format=csv&model=gpt-4o')).text();
  expect(filtered.match(/\r\n20/g)).toHaveLength(401);
});

test('CSV has one row per event, whatever line breaks and control characters its texts have', async () => {
  const event = { provider: 'openai', model: 'gpt-4o', timestamp: new Date(TEST_NOW).toISOString() };
  const name = 'one\ntwo\rthree\u001b[2J\u009b31m\u202e';
  await app.fetch('/v1/ingest', {
    apiKey: app.seed.apiKey,
    events: [
      { ...event, name },
      { ...event, user_id: ' =1+1' },
    ],
  });
  const rows: Record<string, string>[] = parse(await (await get('&format=csv')).text(), { columns: true });
  expect(rows.map((row) => row.name).toSorted()).toEqual(['', 'one\ntwo\nthree[2J31m']);
  expect(rows.map((row) => row.user_id).toSorted()).toEqual(['', "' =1+1"]);
});

test('a file has the order and, as CSV, the columns that are asked for', async () => {
  await record();
  const rows: Record<string, string>[] = parse(
    await (await get('&format=csv&sort=input&order=asc&fields=input_tokens,user_id,model')).text(),
    { columns: true },
  );
  expect(rows.map(({ input_tokens }) => Number(input_tokens))).toEqual(
    Array.from({ length: COUNT }, (_, i) => i),
  );
  expect(Object.keys(rows[0] ?? {})).toEqual(['input_tokens', 'user_id', 'model']);
  expect(await (await get('&format=csv&fields=price')).json()).toMatchObject({
    error: expect.stringContaining('price is no field of the CSV'),
  });
  expect((await get('&sort=name')).status).toBe(400);
});

test('an empty selection is an empty file with a heading, a wrong parameter an error', async () => {
  expect((await (await get('&format=csv&model=none')).text()).split('\r\n')).toHaveLength(2);
  expect(await (await get('&model=none')).text()).toBe('');
  expect((await get('&format=xml')).status).toBe(400);
  const stranger = await app.addTenant();
  expect((await get('', stranger.bearer)).status).toBe(403);
});
