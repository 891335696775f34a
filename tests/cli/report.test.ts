import { afterAll, describe, expect, test } from 'bun:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { eventsOf } from '../../src/core/events/index.ts';
import type { MetricsReply } from '../../src/core/events/query/contract.ts';
import { findOrganization } from '../../src/core/orgs/index.ts';
import { findProject } from '../../src/core/projects/index.ts';
import { extendScope, operatorScope } from '../../src/core/tenancy/index.ts';
import { sqlOp } from '../../src/db/sql-op.ts';
import {
  costsReplySchema,
  errorsReplySchema,
  overviewReplySchema,
} from '../../src/features/analytics/contract.ts';
import { performanceReplySchema } from '../../src/features/analytics/performance/contract.ts';
import { seedDemo } from '../../src/features/demo/index.ts';
import { type SessionsReply, sessionsReplySchema } from '../../src/features/sessions/contract.ts';
import { usersReplySchema } from '../../src/features/users/contract.ts';
import { openLedger, PASSWORD } from './ledger.ts';

const ledger = await openLedger();
afterAll(() => ledger.remove());
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const app = openApp({ config, mode: 'command' });
const project = await findProject(app.ctx, 'assistant');
const { monthlyEvents, monthlyBytes } = await findOrganization(app.ctx, project.organizationId);
const { id: projectId } = project;
const scope = extendScope(operatorScope(project), { monthlyEvents, monthlyBytes });
await seedDemo(app.ctx, { scope, days: 60, scale: 0.3 });
afterAll(() => app.close());

const words = (line: string): string[] => line.split(' ');
const window = { start: new Date(Date.now() - 20 * 86_400_000).toISOString(), end: new Date().toISOString() };
const bounds = ['--start', window.start, '--end', window.end];

/** The endpoint's reply to a signed-in owner. */
const overHttp = async (path: string): Promise<unknown> => {
  const credentials = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: credentials };
  const signedIn = await app.fetch(new Request('http://ledger/v1/auth/login', post));
  const { token } = (await signedIn.json()) as { token: string };
  const headers = { Authorization: `Bearer ${token}` };
  return (await app.fetch(new Request(`http://ledger${path}`, { headers }))).json();
};

const query = new URLSearchParams({ projectId, ...window });
const reports = [
  ['overview', `/v1/projects/${projectId}/overview?${new URLSearchParams(window)}`, overviewReplySchema],
  ['costs', `/v1/costs?${query}`, costsReplySchema],
  ['performance', `/v1/performance?${query}`, performanceReplySchema],
  ['errors', `/v1/errors?${query}`, errorsReplySchema],
  ['users', `/v1/users?${query}`, usersReplySchema],
  ['sessions', `/v1/sessions?${query}`, sessionsReplySchema],
] as const;

describe.each(reports)('report %s', (name, path, schema) => {
  test('--json prints the document of the endpoint', async () => {
    const doc = await ledger.json('report', name, '--project', 'assistant', ...bounds);
    expect(schema.strict().safeParse(doc).error).toBeUndefined();
    expect(doc).toEqual((await overHttp(path)) as Record<string, unknown>);
  });

  test.each([80, 100, 120])('fits a terminal of %i columns, and a pipe gets no colour', async (columns) => {
    const { code, stdout, stderr } = await ledger.run(['report', name], { columns });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('of assistant · Acme · ');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) {
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).toBe(line.trimEnd());
    }
  });

  test('is coloured on a terminal', async () => {
    const { stdout } = await ledger.run(['report', name], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[36m');
  });

  test('--csv prints the main table, one row per line', async () => {
    const { code, stdout } = await ledger.run(['report', name, '--csv', '--start', '7d']);
    expect(code).toBe(0);
    const lines = stdout.split('\r\n');
    expect(lines.at(-1)).toBe('');
    const width = lines[0]?.split(',').length;
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines.slice(0, -1)) expect(line.split(',').length).toBe(width ?? 0);
  });

  test('a window without calls says so', async () => {
    const { stdout } = await ledger.run(['report', name, '--model', 'no such model']);
    expect(stdout).toEndWith('\n\nNo calls in this window.\n');
  });
});

describe('report costs', () => {
  test('names the models without a price', async () => {
    const { stdout } = await ledger.run(words('report costs'));
    expect(stdout).toMatch(/! \d+ of [\d,]+ calls have no known price/);
    expect(stdout).toMatch(/acme-internal\/acme-llm-7b \d+ calls/);
    expect(stdout).toMatch(/acme-llm-7b .* – +no price +–/);
  });

  test('forecasts by the full days that a project has', async () => {
    expect((await ledger.run(words('report costs'))).stdout).toMatch(
      /Next 30 days +\$[\d.,]+ +based on the last 30 full days\n/,
    );
  });

  test('--by names the calls without a value as no value could be named', async () => {
    const [head, ...rows] = (await ledger.run(words('report costs --by user --csv'))).stdout.split('\r\n');
    expect(head).toStartWith('value,name,calls,');
    expect(rows.filter((row) => row.startsWith(','))).toEqual([expect.stringMatching(/^,no user,\d+,/)]);
    const byUser = (await ledger.run(words('report costs --by user'))).stdout;
    expect(byUser).toMatch(/^no user +[\d,]+ /m);
    // Calls of the demo have no price: the sum is a minimum.
    expect(byUser).toMatch(/^Total ≥ \$[\d.]+$/m);
  });

  test('filters by environment and model, and shows the filters', async () => {
    const { stdout } = await ledger.run(words('report costs --environment staging --model gpt-4o'));
    expect(stdout.split('\n')[0]).toEndWith('· staging · gpt-4o');
  });

  test('warns of damaged events that no figure contains', async () => {
    const run = (sql: string): Promise<unknown> => app.ctx.db.writer.write(sqlOp, [{ sql, args: [] }]);
    const [from, to] = [Date.now() - 3_600_000, Date.now() - 1_800_000];
    await run(
      `INSERT INTO event_log_damaged (seq, project, at, reason, events, first_ts, last_ts, labels, ids, pack)
       VALUES (999999, ${project.no}, ${to}, 'test', 42, ${from}, ${to}, '', x'', x'')`,
    );
    const warning = '! No figure contains 42 damaged events of about this window';
    for (const line of ['report costs', 'report errors --csv', 'report costs --by user']) {
      const { code, stderr } = await ledger.run(words(line));
      expect([line, code, stderr.includes(warning)]).toEqual([line, 0, true]);
    }
    expect(await ledger.json('report', 'costs')).toMatchObject({ missing: 42 });
    await run('DELETE FROM event_log_damaged');
    expect((await ledger.run(words('report costs'))).stderr).toBe('');
  });
});

test('the CSV of a list has all rows, not those of the first page', async () => {
  const { stdout } = await ledger.run(words('report sessions --csv'));
  const ids = stdout
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(',')[0]);
  const first = (await ledger.json('report', 'sessions')) as SessionsReply;
  expect([first.nextCursor === null, ids.length > first.sessions.length]).toEqual([false, true]);
  expect(new Set(ids).size).toBe(ids.length);
  const { sessions } = await ledger.json('sessions', 'list', '-n', '1000');
  expect(sessions).toHaveLength(ids.length);
});

test('what was not measured is empty in a CSV', async () => {
  const { stdout } = await ledger.run(words('report performance --csv'));
  expect(stdout).toMatch(/^text-embedding-3-small,(\d+,){5},,/m);
});

test('costs of agents say which calls have no price', async () => {
  const show = async (line: string): Promise<string> =>
    (await ledger.run(words(line), { columns: 160 })).stdout;
  expect(await show('agents graph')).toMatch(/model:acme-llm-7b .* no price\n/);
  expect(await show('agents list')).toMatch(
    /support-assistant .* ≥ \$0\.0\d+ .* ≥ \$\d+\.\d\d .*\d\d:\d\d\n/,
  );
  const agent = await show('agents show support-assistant');
  expect(agent).toMatch(/acme-llm-7b .* no price\n/);
  expect(agent).toMatch(/Versions[^$]* ≥ \$/);
});

const refused: readonly (readonly [line: string, code: number, what: string])[] = [
  ['report costs --start yesterday', 2, 'is not a time'],
  ['report costs --start 1h --end 2h', 2, '--start is not before --end'],
  ['report costs --csv --json', 2, 'cannot be combined'],
  ['query --range 30days', 2, '--range: must be one of 15m, 1h, '],
  ['users set-role a@example.com boss', 2, '<role> "boss": must be one of owner, admin, '],
  ['report costs --project nope', 3, 'There is no project nope\n'],
  ['report costs --project Asistant', 3, 'There is no project Asistant; did you mean assistant?\n'],
];
test.each(refused)('%s exits with %i', async (line, code, what) => {
  const result = await ledger.run(words(line));
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
  expect(result.stderr).toContain(what);
});

test('--project is required if there are several projects', async () => {
  // The test has the file open for writing, so it also creates the second project.
  const { createProject } = await import('../../src/core/projects/index.ts');
  const { id } = await app.act(createProject, { organization: 'Acme', name: 'second' });
  const { code, stderr } = await ledger.run(words('report costs'));
  expect(code).toBe(2);
  expect(stderr).toContain('There are 2 projects');
  expect((await ledger.run(['report', 'costs', '-p', id])).code).toBe(0);
});

test('a query is the same figures as the report, and refuses what it does not know', async () => {
  const costs = await ledger.json('report', 'costs', '-p', 'assistant', ...bounds);
  const reply = await ledger.json(
    'query',
    '-p',
    'assistant',
    '-m',
    'cost',
    '-m',
    'requests',
    '--by',
    'model',
    '-n',
    '2',
    ...bounds,
  );
  const { total, groups, others } = reply as unknown as MetricsReply;
  expect(total.values.cost).toBeCloseTo(costs.total as number, 9);
  expect(total.values.requests).toBe(costs.calls as number);
  const parts = [...groups, others].map((part) => part?.values.requests ?? 0);
  expect([groups.length, parts.reduce((sum, one) => sum + one, 0)]).toEqual([2, costs.calls as number]);
  const table = await ledger.run(['query', '-p', 'assistant', '--by', 'model', '-n', '2', ...bounds]);
  expect(table.stdout).toMatch(/model +cost +requests/);
  expect(table.stdout).toContain('others');
  const shapes = ['--matrix', '2', '--histogram', 'latency'];
  const both = ['query', '-p', 'assistant', '-m', 'requests', '--by', 'model', '--by', 'provider', ...bounds];
  const { matrix, histogram } = (await ledger.json(...both, ...shapes)) as unknown as MetricsReply;
  const drawn = (await ledger.run([...both, ...shapes])).stdout;
  for (const { value } of matrix?.rows ?? []) expect(drawn).toContain(value ?? ' others');
  expect(drawn).toMatch(/requests by model and provider/);
  expect(drawn.match(/ m?s – .*%/g)?.length).toBe(histogram?.counts.length ?? 0);
  const refused = await ledger.run(['query', '-m', 'colour']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--measure')]);
});

test('warns of calls that retention has deleted, where the figures leave them out', async () => {
  const before = Math.floor(Date.now() / 86_400_000 - 10) * 86_400_000;
  await eventsOf(app.ctx).deleteBefore(operatorScope(project), before, {
    signal: new AbortController().signal,
  });
  const time = `${new Date(before).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const warning = `! Calls before ${time} have been deleted (retention)`;
  const run = (line: string) => ledger.run(words(`${line} --project assistant`));
  const needing = [
    ...['report costs --by agent', 'report overview --filter agent:*', 'query --by agent'],
    ...['anomalies list', 'anomalies explain --measure cost --start 20d', 'recommendations list'],
  ];
  for (const line of needing) {
    const { code, stderr } = await run(line);
    expect([line, code, stderr]).toEqual([line, 0, expect.stringContaining(warning)]);
  }
  for (const line of ['report costs', 'report costs --by key', 'query --by model'])
    expect([line, (await run(line)).stderr]).toEqual([line, '']);
});
