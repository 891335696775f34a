import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeThreshold, parseThreshold } from '../../../cli/experiments/fail-if.ts';
import type { ExperimentDetail } from '../../../src/features/experiments/contract.ts';
import { openFolder } from '../../helpers/folder.ts';
import { cliCommand, initLedger, type RunningServer, startServer } from '../../helpers/server.ts';

const folder = openFolder();
const PASSWORD = 'correct horse battery staple';
let server: RunningServer;
let token: string;
beforeAll(async () => {
  // A fresh clone of the sample project.
  cpSync(join(import.meta.dir, '../../features/experiments/sample'), folder.path('clone'), {
    recursive: true,
  });
  const db = `file:${folder.path('ledger.db')}`;
  const { organizationId } = await initLedger(db, 'ada@example.com', PASSWORD);
  server = await startServer(db);
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
  const scopes = ['read', 'datasets:write', 'experiments:run'];
  const made = await post(
    `access-tokens?organizationId=${organizationId}`,
    { name: 'ci', scopes },
    login.token,
  );
  token = made.token ?? '';
});
afterAll(async () => {
  await server.end('SIGKILL');
  folder.remove();
});

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(
    [...cliCommand, 'experiments', 'run', 'experiment.json', '--server', server.url, ...args],
    {
      cwd: folder.path('clone'),
      env: {
        ...process.env,
        SPANLEDGER_TOKEN: token,
        PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
        ...env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, code };
}

describe('a sample project', () => {
  test('passes, fails when its program gets worse, and compares with the last experiment', async () => {
    const passed = await run(['--json', '--junit', 'report.xml']);
    expect([passed.code, passed.stderr]).toEqual([0, expect.any(String)]);
    const document = JSON.parse(passed.stdout) as { passed: boolean; experiment: ExperimentDetail };
    expect(document.passed).toBe(true);
    expect(document.experiment).toMatchObject({ status: 'completed', runs: { done: 4 } });
    expect(readFileSync(folder.path('clone/report.xml'), 'utf8')).toContain('tests="3" failures="0"');

    const broken = await run(['--baseline', 'last', '--fail-if', 'cost > +10%', '--junit', 'report.xml'], {
      CLASSIFIER: 'broken',
    });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('accuracy < 0.9: accuracy is 0.5');
    expect(broken.stderr).toContain('not cost > +10%');
    const report = readFileSync(folder.path('clone/report.xml'), 'utf8');
    expect(report).toContain('tests="4" failures="1"');
    expect(report).toContain('name="accuracy &lt; 0.9"');
  }, 120_000);

  test.each([
    [['--fail-if', 'accuracy'], {}, 2, 'is no threshold'],
    [['--project', 'none'], {}, 3, 'none'],
    [[], { SPANLEDGER_TOKEN: `slt_${'0'.repeat(64)}` }, 4, ''],
  ])('%p %p ends with its own code', async (args, env, code, message) => {
    const found = await run(args, env as Record<string, string>);
    expect([found.code, found.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe('thresholds', () => {
  const metric = {
    name: 'accuracy',
    kind: 'score',
    direction: 'higher',
    n: 10,
    mean: 0.8,
    low: 0.7,
    high: 0.9,
  } as const;
  const compared = {
    name: 'accuracy',
    kind: 'score',
    baseline: 0.9,
    difference: { n: 10, mean: -0.09, low: -0.1, high: -0.05 },
    p: 0.01,
    wins: 0,
    losses: 2,
    ties: 8,
    verdict: 'worse',
  } as const;
  const experiment = {
    metrics: [metric],
    comparison: { metrics: [compared] },
  } as unknown as ExperimentDetail;
  test.each([
    ['accuracy < 0.9', true],
    ['accuracy<0.8', false],
    ['accuracy <= 0.8', true],
    ['accuracy < -5%', true],
    ['accuracy < -15%', false],
    ['accuracy > +5%', false],
    ['accuracy is worse', true],
    ['other > 1', true],
  ])('%p fails: %p', (text, hasFailed) => {
    expect(judgeThreshold(parseThreshold(text), experiment).hasFailed).toBe(hasFailed);
  });
  test.each(['accuracy', 'accuracy = 1', 'accuracy < 5%', '< 1', 'accuracy < x'])('%p is refused', (text) => {
    expect(() => parseThreshold(text)).toThrow('is no threshold');
  });
});
