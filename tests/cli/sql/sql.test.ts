import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import type { EventPage } from '../../../src/core/events/contract.ts';
import { eventually } from '../../helpers/eventually.ts';
import { cliCommand } from '../../helpers/server.ts';
import { emptyLedger, inputOf, openLedger, PASSWORD } from '../ledger.ts';

const ledger = await openLedger();
const none = emptyLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
// It stays open, as a server that uses the file does.
const app = openApp({ config, mode: 'command' });
afterAll(async () => {
  await app.close();
  ledger.remove();
  none.remove();
});

const { projectId = '', apiKey = '' } = ledger.made;
const now = Date.now();
const HOSTILE = '\u001b[31mred\u009b2J "quoted", \r\nnext';
const fetchJson = async <T>(path: string, init: RequestInit): Promise<T> =>
  (await (await app.fetch(new Request(`http://ledger${path}`, init))).json()) as T;

const sent = Array.from({ length: 2_300 }, (_, i) => ({
  kind: i % 10 === 9 ? 'tool' : 'llm',
  provider: 'openai',
  model: i % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
  timestamp: new Date(now - 3_600_000 + i * 1_000).toISOString(),
  input_tokens: i,
  latency_ms: i % 4 === 0 ? null : 10.5,
  stream: i % 2 === 0,
  environment: i % 5 === 0 ? 'staging' : 'production',
  user_id: i === 7 ? HOSTILE : `u-${i % 50}`,
  tags: { team: i % 2 === 0 ? 'support' : 'sales' },
  metadata: { n: i },
}));
for (let at = 0; at < sent.length; at += 100) {
  const body = sent
    .slice(at, at + 100)
    .map((event) => JSON.stringify(event))
    .join('\n');
  await fetchJson('/v1/ingest', { method: 'POST', headers: { 'x-api-key': apiKey }, body });
}
const credentials = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
const { token } = await fetchJson<{ token: string }>('/v1/auth/login', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: credentials,
});
const query = new URLSearchParams({ projectId, kind: 'all', limit: '200' });
const { events } = await fetchJson<EventPage>(`/v1/events?${query}`, {
  headers: { Authorization: `Bearer ${token}` },
});

const rowsOf = async (...words: string[]): Promise<Record<string, unknown>[]> =>
  (await ledger.json('sql', ...words)).rows as Record<string, unknown>[];

describe('the table', () => {
  test('has the events that the API returns, newest first, with JSON as text and ts', async () => {
    const doc = await ledger.json('sql', 'SELECT * FROM events', '--limit', '200');
    expect(doc).toMatchObject({ events: 2_300, truncated: true });
    const rows = doc.rows as Record<string, unknown>[];
    const asRow = (event: EventPage['events'][number]): Record<string, unknown> => ({
      ...event,
      ts: Date.parse(event.timestamp),
      counted: event.counted ? 1 : 0,
      stream: event.stream ? 1 : 0,
      tags: JSON.stringify(event.tags),
      metadata: JSON.stringify(event.metadata),
      usage: null,
      input: null,
      output: null,
    });
    expect(rows).toEqual(events.map(asRow));
    expect(Object.keys(rows[0] ?? {})).toEqual(doc.columns as string[]);
  });

  test('is grouped, filtered and read with the functions of SQLite', async () => {
    expect(
      await rowsOf(
        `WITH calls AS (SELECT tags ->> 'team' AS team, input_tokens, latency_ms FROM events WHERE counted)
         SELECT team, count(*) AS n, sum(input_tokens) AS tokens, median(latency_ms) AS ms
         FROM calls GROUP BY 1 ORDER BY n DESC; -- the calls of each team`,
      ),
    ).toEqual(
      ['support', 'sales'].map((team) => {
        const calls = sent.filter(({ tags, kind }) => tags.team === team && kind === 'llm');
        return {
          team,
          n: calls.length,
          tokens: calls.reduce((sum, call) => sum + call.input_tokens, 0),
          ms: 10.5,
        };
      }),
    );
  });

  test('has the events of the window, environment and model only', async () => {
    const count = 'SELECT count(*) AS n FROM events';
    const start = new Date(now - 3_600_000 + 2_000_000).toISOString();
    expect(await rowsOf(count, '--start', start)).toEqual([{ n: 300 }]);
    expect(await rowsOf(count, '--environment', 'staging', '--model', 'gpt-4o')).toEqual([{ n: 154 }]);
    expect(await rowsOf(count, '--end', '2d')).toEqual([{ n: 0 }]);
  });
});

describe('what is printed', () => {
  test('a table without control characters; numbers keep their digits', async () => {
    const { stdout, stderr, code } = await ledger.run([
      'sql',
      'SELECT user_id, 0.1 + 0.2 AS sum, 1234567 AS whole, NULL AS none FROM events WHERE input_tokens = 7',
    ]);
    expect({ stdout, stderr, code }).toEqual({
      stdout: 'user_id                   sum    whole  none\n[31mred2J "quoted", next  0.3  1234567     –\n',
      stderr: '',
      code: 0,
    });
  });

  test('a row with more columns than fit, line by line', async () => {
    const { stdout } = await ledger.run(['sql', 'SELECT * FROM events LIMIT 1']);
    expect(stdout).toMatch(/^row 1\nevent_id {13}[0-9a-f-]{36}\n/);
    for (const line of stdout.split('\n')) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  });

  test('--csv, without control characters and formulas', async () => {
    const { stdout } = await ledger.run([
      'sql',
      '--csv',
      "SELECT user_id, '=1+1' AS formula, NULL AS none FROM events WHERE input_tokens = 7",
    ]);
    expect(stdout).toBe('user_id,formula,none\r\n"[31mred2J ""quoted"", \nnext",\'=1+1,\r\n');
  });

  test('columns of one name, blobs and large integers', async () => {
    expect(await ledger.json('sql', "SELECT 1 AS a, 9007199254740993 AS a, x'00ff' AS b")).toEqual({
      events: 2_300,
      columns: ['a', 'a:1', 'b'],
      rows: [{ a: 1, 'a:1': '9007199254740993', b: "x'00ff'" }],
      truncated: false,
    });
  });

  test('the first rows, with a warning about the others', async () => {
    const { stdout, stderr } = await ledger.run(['sql', 'SELECT model FROM events', '--limit', '2', '--csv']);
    expect(stdout.split('\r\n')).toHaveLength(4);
    expect(stderr).toContain('Only the first 2 rows are printed');
  });

  test('nothing but a sentence without rows', async () => {
    const { stdout } = await ledger.run(['sql', "SELECT model FROM events WHERE model = 'none'"]);
    expect(stdout).toBe('No rows.\n');
  });

  test('--schema, without a database', async () => {
    const { columns, rows } = await none.json('sql', '--schema');
    expect(columns).toEqual(['column', 'type', 'description']);
    expect(rows).toContainEqual({
      column: 'tags',
      type: 'TEXT',
      description: 'Tags, as they were sent. JSON text.',
    });
    expect(rows).toContainEqual(expect.objectContaining({ column: 'ts', type: 'INTEGER' }));
  });
});

describe('where the statement comes from', () => {
  test('a file, or standard input', async () => {
    const file = join(ledger.dir, 'report.sql');
    writeFileSync(file, '-- how many\nSELECT count(*) AS n\nFROM events;\n');
    expect(await rowsOf('--file', file)).toEqual([{ n: 2_300 }]);
    const { stdout } = await ledger.run(['sql', '-', '--json'], inputOf('SELECT 7 AS seven'));
    expect((JSON.parse(stdout) as { rows: unknown }).rows).toEqual([{ seven: 7 }]);
  });
});

const mistakes: readonly (readonly [words: string[], code: number, message: string])[] = [
  [[], 2, 'error[usage]: There is no statement'],
  [['SELECT 1', '--schema'], 2, 'error[usage]: Only one of a statement, --file and --schema can be given'],
  [['SELECT 1', '--csv', '--json'], 2, '--csv and --json cannot be combined'],
  [['SELECT 1; SELECT 2'], 2, 'error[usage]: There are several statements'],
  [['DROP TABLE events'], 2, 'error[usage]: A statement has to start with SELECT or WITH, not DROP'],
  [['SELECT'], 2, 'error[usage]: SQL: incomplete input'],
  [['SELECT 1)'], 2, 'error[usage]: SQL: near ")": syntax error'],
  [
    ['SELECT modell FROM events'],
    2,
    'error[usage]: SQL: no such column: modell\n  fix: The table is `events`',
  ],
  [['SELECT 1 FROM calls'], 2, 'error[usage]: SQL: no such table: calls\n  fix: The table is `events`'],
  [['SELECT ?'], 2, 'error[usage]: The statement has parameters'],
  [["SELECT load_extension('x')"], 2, 'error[usage]: SQL: not authorized'],
  [["SELECT readfile('/etc/passwd')"], 2, 'error[usage]: SQL: no such function: readfile'],
  [['SELECT 1', '--max-rows', '0'], 2, 'error[usage]: --max-rows "0": must be at least 1'],
  [['SELECT 1', '--timeout', 'soon'], 2, 'error[usage]: --timeout "soon": must be a number of seconds'],
  [['SELECT 1', '--start', 'soon'], 2, 'error[usage]: --start "soon" is not a time'],
  [['SELECT 1', '--project', 'nope'], 3, 'error[not_found]: '],
  [['SELECT 1', '--file', 'nope.sql'], 2, 'error[usage]: Only one of'],
  [['--file', 'nope.sql'], 2, 'error[usage]: Cannot read nope.sql'],
];
test.each(mistakes)('%j is refused', async (words, code, message) => {
  const result = await ledger.run(['sql', ...words]);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
  expect(result.stderr).toContain(message);
});

describe('limits', () => {
  test('a window with more events is refused instead of answered in part', async () => {
    const { code, stderr, stdout } = await ledger.run(['sql', 'SELECT 1', '--max-rows', '2299']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toStartWith(
      'error[too_many_events]: The window has 2,300 events; at most 2,299 are read\n',
    );
    expect((await ledger.run(['sql', 'SELECT 1', '--max-rows', '2300'])).code).toBe(0);
  });

  const FOREVER = 'WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT';
  test('a statement that runs forever is stopped, with its process', async () => {
    const { code, stderr } = await ledger.run(['sql', `${FOREVER} count(*) FROM a`, '--timeout', '1.5']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error[query_timeout]: The statement ran longer than 1.5 s\n  fix: Choose a shorter window, or raise --timeout\n',
    });
  });

  test('the process of a statement ends when the command is killed', async () => {
    const statement = `${FOREVER} count(*) FROM a`;
    const command = Bun.spawn([...cliCommand, 'sql', statement, '--db', ledger.path], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const children = () => readFileSync(`/proc/${command.pid}/task/${command.pid}/children`, 'utf8').trim();
    // Its processor time tells that the statement runs.
    const seconds = (pid: string) =>
      Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[11]) / 100;
    await eventually('the query process', () => children() !== '', 60_000);
    const pid = children();
    await eventually('a running statement', () => seconds(pid) > 2, 60_000);
    command.kill('SIGKILL');
    await command.exited;
    await eventually('its end', () => !existsSync(`/proc/${pid}`), 60_000);
  }, 120_000);

  test('a large result is refused', async () => {
    const { code, stderr } = await ledger.run(['sql', `${FOREVER} hex(zeroblob(10000000)) FROM a LIMIT 4`]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error[query_too_large]: The result is larger than 64 MB\n  fix: Select fewer columns, or lower --limit\n',
    });
  });
});

test('without a database it says where it looked', async () => {
  const { code, stderr } = await none.run(['sql', 'SELECT 1']);
  expect(code).toBe(6);
  expect(stderr).toStartWith('error[database_missing]: ');
});
