import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { SimulationRunDetail } from '../../../src/features/simulations/runs/contract.ts';
import { READY_SUITES } from '../../../src/lib/simulations/suites/ready-suites.ts';
import { startAgent } from '../../features/simulations/agent-server.ts';
import { openFolder } from '../../helpers/folder.ts';
import { cliCommand, initLedger, type RunningServer, startServer } from '../../helpers/server.ts';

const folder = openFolder();
const agent = startAgent();
const PASSWORD = 'correct horse battery staple';
let server: RunningServer;
let token: string;
beforeAll(async () => {
  const db = `file:${folder.path('ledger.db')}`;
  const { organizationId } = await initLedger(db, 'ada@example.com', PASSWORD);
  server = await startServer(db, [], undefined, { OUTBOUND_ALLOW: '127.0.0.1' });
  const post = async (path: string, body: object, bearer = ''): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const reply = await fetch(`${server.url}/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await reply.json()) as Record<string, string>;
  };
  const login = await post('auth/login', { email: 'ada@example.com', password: PASSWORD });
  const scopes = ['read', 'experiments:run'];
  const path = `access-tokens?organizationId=${organizationId}`;
  token = (await post(path, { name: 'ci', scopes }, login.token)).token ?? '';
  const reply = { text: 'answer', toolCalls: 'actions', toolName: 'tool', toolArguments: 'args' };
  const target = { kind: 'http', url: `${agent.url}/chat`, reply };
  const booking = { ...READY_SUITES.booking, target };
  await Bun.write(folder.path('suites/booking.yaml'), `# for CI\n${Bun.YAML.stringify(booking, null, 2)}`);
  const scenarios = Array.from({ length: 50 }, (_, i) => ({ name: `s${i}`, script: ['Hello'] }));
  await Bun.write(
    folder.path('suites/many.json'),
    JSON.stringify({ name: 'Many', target, repetitions: 5, scenarios }),
  );
}, 30_000);
afterEach(() => {
  agent.faults = [];
  agent.answer = null;
});
afterAll(async () => {
  await server.end('SIGKILL');
  agent.close();
  folder.remove();
});

async function run(...args: readonly string[]) {
  const child = Bun.spawn([...cliCommand, 'simulations', ...args, '--server', server.url], {
    cwd: folder.path('.'),
    env: { ...process.env, SPANLEDGER_TOKEN: token },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}

describe('simulations in CI', () => {
  test('a shipped suite passes a good agent and fails one with planted faults, with a report', async () => {
    const rules = ['--fail-if', 'passRate < 0.95', '--junit', 'report.xml'];
    const passed = await run('run', 'suites/booking.yaml', ...rules);
    expect([passed.code, passed.stderr]).toEqual([
      0,
      expect.stringContaining('7 of 7 conversations done, 0 failed'),
    ]);
    expect(passed.stderr).toContain('not passRate < 0.95: passRate is 1 (');
    agent.faults = ['forgets', 'wrong_arguments', 'leaks'];
    const failed = await run(
      'run',
      'Booking assistant',
      ...rules,
      '--fail-if',
      'passRate is worse',
      '--json',
    );
    expect(failed.code).toBe(1);
    const {
      passed: hasPassed,
      thresholds,
      run: done,
    } = JSON.parse(failed.stdout) as {
      passed: boolean;
      thresholds: { hasFailed: boolean }[];
      run: SimulationRunDetail;
    };
    expect(hasPassed).toBe(false);
    expect(thresholds[0]?.hasFailed).toBe(true);
    expect(done.scenarios.map(({ change }) => change)).toEqual([
      'broken',
      'broken',
      'broken',
      'broken',
      'same',
    ]);
    const report = readFileSync(folder.path('report.xml'), 'utf8');
    expect(report).toContain('<testsuite name="Booking assistant" tests="9" failures="');
    expect(report).toContain(
      '<testcase classname="An allergy is kept in mind" name="An allergy is kept in mind (1)">',
    );
    expect(report).toContain('found &quot;hazelnut&quot;');
  }, 60_000);

  test('50 scenarios five times: progress is told while they run, as many at once as the suite says', async () => {
    let [running, most] = [0, 0];
    agent.answer = async () => {
      most = Math.max(most, ++running);
      await Bun.sleep(30);
      running--;
      return Response.json({ answer: 'Hi' });
    };
    const { code, stderr } = await run('run', 'suites/many.json');
    expect(code).toBe(0);
    const told = [...stderr.matchAll(/(\d+) of 250 conversations done/g)].map(([, done]) => Number(done));
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(250);
    expect(most).toBe(4);
  }, 60_000);

  test('files are pushed with a version for each change, and pulled as they were written', async () => {
    expect((await run('push', 'suites')).stdout).toContain('Booking assistant: unchanged (version 1)');
    await Bun.write(
      folder.path('suites/many.json'),
      (await Bun.file(folder.path('suites/many.json')).text()).replace('Hello', 'Hi'),
    );
    expect((await run('push', 'suites', '-m', 'greets')).stdout).toContain('Many: updated (version 2)');
    expect((await run('pull', 'pulled')).code).toBe(0);
    for (const [from, to] of [
      ['booking.yaml', 'booking-assistant.yaml'],
      ['many.json', 'many.yaml'],
    ])
      expect(readFileSync(folder.path(`pulled/${to}`), 'utf8')).toBe(
        readFileSync(folder.path(`suites/${from}`), 'utf8'),
      );
    expect((await run('list')).stdout).toMatch(/Booking assistant.*completed/);
  }, 60_000);

  test('mistakes end with 2 and name the place, an unknown suite with its own code', async () => {
    await Bun.write(
      folder.path('bad.yaml'),
      'name: x\nscenarios:\n  - name: Refund\n    script: [Hi]\n    checks: [{kind: has}]\n',
    );
    const bad = await run('run', 'bad.yaml');
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringContaining('bad.yaml: scenarios[0] "Refund": checks[0].kind: kind must be one of'),
    ]);
    const unknown = await run('run', 'Nothing');
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('There is no suite Nothing')]);
    expect((await run('run', 'Many', '--fail-if', 'often')).code).toBe(2);
  }, 60_000);
});
