import { afterAll, describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toKebab } from '../../cli/command.ts';
import { commands } from '../../cli/commands.ts';
import { REMOTE_COMMANDS, whyNotRemote } from '../../cli/remote/which.ts';
import type { Terminal } from '../../cli/run.ts';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { serve } from '../../src/serve.ts';
import { openLedger, person } from './ledger.ts';

const ledger = await openLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const server = serve(openApp({ config, mode: 'serve' }), { host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await server.stop();
  ledger.remove();
});
const { url } = server;
const EVENT = '0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const line = (more: object): string =>
  JSON.stringify({
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 1_000,
    output_tokens: 50,
    latency_ms: 700,
    timestamp: new Date(Date.now() - 60_000).toISOString(),
    user_id: 'maya',
    session_id: 'chat/1',
    trace_id: TRACE,
    ...more,
  });
const inRun = (more: object): string => line({ trace_id: 'f'.repeat(32), agent: 'planner', ...more });
/** A run of an agent that calls a tool. */
const RUN = [
  inRun({ kind: 'agent', span_id: 'a'.repeat(16) }),
  inRun({ kind: 'tool', tool: 'search', span_id: 'b'.repeat(16), parent_span_id: 'a'.repeat(16) }),
];
await fetch(`${url}/v1/ingest`, {
  method: 'POST',
  headers: { 'x-api-key': ledger.made.apiKey ?? '' },
  body: [line({ event_id: EVENT }), line({ status: 'error', error_code: 'E_LIMIT' }), ...RUN].join('\n'),
});
await ledger.json('budgets', 'set', '5', '--per', 'day');
await ledger.json('incidents', 'create', 'Answers are late', '--severity', 'warning');
// What explains it then no longer depends on the moment.
await ledger.json('incidents', 'resolve', '1');
await ledger.json('prices', 'set', 'acme/x', '--input', '1', '--output', '2');
const newToken = async (...more: string[]): Promise<string> =>
  String((await ledger.json('access-tokens', 'create', '--name', 'cli', ...more)).token);
const token = await newToken();
const home = { XDG_CONFIG_HOME: join(ledger.dir, 'home') };
const remote = (words: readonly string[], overrides: Partial<Terminal> = {}) =>
  ledger.run(words, {
    ...overrides,
    env: { ...home, SPANLEDGER_SERVER: url, SPANLEDGER_TOKEN: token, ...overrides.env },
  });

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

/** A call of every command that reads a server. */
const CALLS: readonly (readonly string[])[] = [
  ['report', 'overview'],
  ['report', 'costs', '--filter', 'model:gpt-4o'],
  ['report', 'costs', '--by', 'user'],
  ['report', 'costs', '--by', 'day', '--start', '7d'],
  ['anomalies', 'list', '--start', '7d'],
  ['anomalies', 'explain', '--measure', 'cost', '--start', '2d', '--end', IN_AN_HOUR],
  ['recommendations', 'list'],
  ['query', '--by', 'model', '--start', '7d', '--end', IN_AN_HOUR, '--bucket', '1d', '--compare'],
  ['report', 'performance'],
  ['report', 'errors'],
  ['report', 'usage'],
  ['report', 'users'],
  ['report', 'user', 'maya'],
  ['report', 'sessions'],
  ['report', 'ledger', '--day', '0d'],
  ['report', 'what-if', '--model', 'openai/gpt-4o-mini'],
  ['report', 'incidents', '--end', IN_AN_HOUR],
  ['incidents', 'list'],
  ['incidents', 'show', '1'],
  ['agents', 'list'],
  ['agents', 'show', 'planner'],
  ['agents', 'graph'],
  ['tools', 'list'],
  ['tools', 'show', 'search'],
  ['events', 'list', '--start', '24h'],
  ['events', 'get', EVENT],
  ['events', 'get', EVENT.slice(0, 9)],
  ['traces', 'list'],
  ['traces', 'show', TRACE],
  ['sessions', 'list'],
  ['sessions', 'show', 'chat/1'],
  ['cost', 'explain', EVENT],
  ['prices', 'list'],
  ['prices', 'search', 'gpt-4o'],
  ['prices', 'show', 'openai/gpt-4o', 'acme/x'],
  ['budgets', 'list'],
  ['projects', 'list'],
  ['orgs', 'list'],
  ['datasets', 'list'],
  ['experiments', 'list'],
  ['simulations', 'list'],
  ['deliveries', 'list'],
  ['reconciliations', 'list'],
  ['connectors', 'list'],
  ['connectors', 'drift'],
  ['reprice', 'list'],
  ['statements', 'list', '--month', new Date().toISOString().slice(0, 7), '--by', 'user', '--lines'],
  ['open'],
  ['open', 'trace', TRACE],
];
/** They end otherwise, or need what an id names. */
const APART = [
  'ask',
  // Nothing is recommended and nothing unusual in these calls; tests/cli/recommendations.test.ts has both.
  'recommendations show',
  'events tail',
  'events export',
  'focus export',
  'reconciliations show',
  'experiments run',
  'simulations run',
  'simulations push',
  'simulations pull',
];
/** What depends on the moment, and what only the file or only the server knows of a row. */
const MOMENTARY = new Set(['to', 'forecast', 'no', 'role', 'requiresSecondFactor', 'auditCsv', 'createdAt']);
const settled = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => (MOMENTARY.has(name) ? undefined : value));

describe('commands that read a server', () => {
  test.each(CALLS.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    const [here, there] = [await ledger.run([...words, '--json']), await remote([...words, '--json'])];
    expect([there.stderr, there.code]).toEqual([here.stderr, 0]);
    expect(settled(there.stdout)).toEqual(settled(here.stdout));
    const printed = await remote(words, { columns: 120 });
    expect(printed.code).toBe(0);
    expect(printed.stdout + printed.stderr).not.toBe('');
  });

  test('are all tried here', () => {
    const tried = new Set([
      ...CALLS.map((words) => words.slice(0, ['open', 'query'].includes(words[0] ?? '') ? 1 : 2).join(' ')),
      ...APART,
    ]);
    expect([...REMOTE_COMMANDS].filter((name) => !tried.has(name))).toEqual([]);
    const known = new Set(commands.map(({ name }) => name));
    expect([...REMOTE_COMMANDS].filter((name) => !known.has(name))).toEqual([]);
  });

  test('write an export as it comes', async () => {
    const [here, there] = [join(ledger.dir, 'here.csv'), join(ledger.dir, 'there.csv')];
    await ledger.run(['events', 'export', '-o', here]);
    expect((await remote(['events', 'export', '-o', there])).code).toBe(0);
    expect(await Bun.file(there).text()).toBe(await Bun.file(here).text());
    const month = new Date(Date.now() - 60_000).toISOString().slice(0, 7);
    for (const ending of ['csv', 'parquet']) {
      const [own, other] = [join(ledger.dir, `own.${ending}`), join(ledger.dir, `other.${ending}`)];
      expect((await ledger.run(['focus', 'export', '--month', month, '-o', own])).code).toBe(0);
      expect((await remote(['focus', 'export', '--month', month, '-o', other])).code).toBe(0);
      const [mine, sent] = [await Bun.file(own).bytes(), await Bun.file(other).bytes()];
      expect(mine.length).toBeGreaterThan(1_000);
      expect(sent).toEqual(mine);
    }
  });

  test('reach with a token for one project that project only', async () => {
    await ledger.json('projects', 'create', 'other', '--org', 'Acme');
    const bound = await newToken('-p', 'assistant');
    const env = { SPANLEDGER_TOKEN: bound };
    const { projects } = JSON.parse((await remote(['projects', 'list', '--json'], { env })).stdout) as {
      projects: { name: string }[];
    };
    expect(projects.map(({ name }) => name)).toEqual(['assistant']);
    expect((await remote(['report', 'costs'], { env })).code).toBe(0);
    expect((await remote(['report', 'costs', '-p', 'other'], { env })).code).toBe(3);
    const refused = await remote(['budgets', 'list'], { env });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('for one project')]);
    const several = await remote(['report', 'costs']);
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('assistant, other')]);
    await ledger.json('projects', 'delete', 'other', '--yes');
  });
});

describe('commands that do not', () => {
  const others = commands.filter(({ name }) => !REMOTE_COMMANDS.has(name)).map(({ name }) => name);

  test.each(others)('%s says so and why', async (name) => {
    const command = commands.find((one) => one.name === name);
    const args = Object.values(command?.args ?? {}).flatMap(({ optional }) => (optional ? [] : ['x']));
    const required = Object.entries(command?.options ?? {}).flatMap(([option, spec]) =>
      spec.required ? [`--${toKebab(option)}`, spec.choices?.[0] ?? 'x'] : [],
    );
    const { code, stderr } = await remote([...name.split(' '), ...args, ...required, '--server', url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} does not work with --server: `)]);
  });

  test.each(['prices export', 'prompts diff', 'dashboards export', 'guardrails check', 'orgs usage'])(
    '%s is not said to change anything',
    (name) => {
      expect(whyNotRemote(name, url).why).toBe('it reads the database file');
    },
  );

  test('changes are refused where the environment names a server; a command of this machine runs', async () => {
    const { code, stderr } = await remote(['keys', 'create', '-p', 'assistant', '--name', 'x']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('access tokens only read')]);
    expect((await remote(['config', 'show'])).code).toBe(0);
    const here = await remote(['keys', 'list', '--db', ledger.path]);
    expect(here.code).toBe(0);
  });
});

describe('the access token', () => {
  test('is stored by login in a file of mode 0600, and used for its server only', async () => {
    const env = { ...home, SPANLEDGER_SERVER: '', SPANLEDGER_TOKEN: '' };
    const stored = await ledger.run(['login', `${url}/`, '--name', 'local'], { ...person(token), env });
    expect([stored.code, stored.stdout]).toEqual([0, expect.stringContaining('assistant')]);
    const file = join(home.XDG_CONFIG_HOME, 'spanledger', 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = await ledger.run(['profiles', 'list'], { env });
    expect(listed.stdout).toContain(url);
    expect(listed.stdout + stored.stdout + stored.stderr).not.toContain(token);
    for (const given of ['local', url])
      expect((await ledger.run(['report', 'costs', '--server', given], { env })).code).toBe(0);
    const elsewhere = await ledger.run(['report', 'costs', '--server', 'http://127.0.0.1:1'], { env });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('no access token for')]);
    expect((await ledger.run(['logout', 'local'], { env })).code).toBe(0);
    expect((await ledger.run(['report', 'costs', '--server', 'local'], { env })).code).toBe(2);
  });

  test('that is wrong is not stored', async () => {
    const wrong = `slt_${'0'.repeat(64)}`;
    const env = { ...home, SPANLEDGER_SERVER: '', SPANLEDGER_TOKEN: wrong };
    const refused = await ledger.run(['login', url], { env });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('does not accept')]);
    expect(refused.stderr).not.toContain(wrong);
    expect((await ledger.run(['logout'], { env })).code).toBe(2);
    const malformed = await ledger.run(['login', url], { env: { ...env, SPANLEDGER_TOKEN: 'slk_secret' } });
    expect([malformed.code, malformed.stderr.includes('slk_secret')]).toEqual([2, false]);
  });

  test('does not follow a redirect, and what is no Spanledger is named', async () => {
    const seen: (string | null)[] = [];
    const odd: Bun.Server<undefined> = Bun.serve({
      port: 0,
      fetch: (request): Response => {
        const { pathname, origin } = new URL(request.url);
        seen.push(pathname);
        if (pathname.startsWith('/moved')) return Response.redirect(`${origin}/else`, 302);
        return pathname.startsWith('/page') ? new Response('<html>') : Response.json({ hello: true });
      },
    });
    const ask = async (path: string) =>
      (await remote(['projects', 'list', '--server', `http://127.0.0.1:${odd.port}/${path}`])).stderr;
    expect(await ask('moved')).toContain('error[redirected]');
    expect(await ask('page')).toContain('error[not_a_server]');
    expect(await ask('json')).toContain('error[server_version]');
    expect(seen).not.toContain('/else');
    await odd.stop(true);
    expect(await ask('gone')).toContain('error[server_unreachable]');
  });
});

test('open names the address that the server tells, and says when there is none', async () => {
  const { stdout } = await ledger.run(['open', 'event', EVENT, '--print']);
  expect(stdout).toBe(`${url}/projects/${ledger.made.projectId}/events?event=${EVENT}\n`);
  expect((await ledger.run(['open', TRACE, '--print'])).stdout).toContain(`/traces/${TRACE}\n`);
  expect((await ledger.run(['open', 'trace'])).code).toBe(2);
  expect((await ledger.run(['open', '../x'])).code).toBe(2);
  const unserved = await openLedger();
  const { code, stderr } = await unserved.run(['open']);
  unserved.remove();
  expect([code, stderr]).toEqual([1, expect.stringContaining('spanledger serve')]);
});
