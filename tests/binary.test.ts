import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetMetadata } from 'hyparquet';
import { openTestApp } from './helpers/app.ts';
import { openFolder } from './helpers/folder.ts';
import { openSmtp } from './helpers/smtp.ts';

// The binary alone in an empty folder, with a hostile .env and bunfig.toml beside it: what a user gets.
const folder = openFolder();
const home = folder.path('home');
const binary = join(home, 'spanledger');
afterAll(() => folder.remove());

const root = join(import.meta.dir, '..');

beforeAll(async () => {
  const built = process.env.SPANLEDGER_BINARY ?? folder.path('spanledger');
  if (!existsSync(built)) {
    const build = Bun.spawn([process.execPath, 'build.ts', '--outfile', built], {
      cwd: root,
      stderr: 'pipe',
    });
    if ((await build.exited) !== 0) throw new Error(await new Response(build.stderr).text());
  }
  mkdirSync(home);
  copyFileSync(built, binary);
  writeFileSync(join(home, '.env'), 'DATABASE_URL=file:./hostile.db\nPORT=1\nBETTER_AUTH_SECRET=short\n');
  writeFileSync(join(home, 'bunfig.toml'), 'preload = ["./hostile.ts"]\n');
  writeFileSync(join(home, 'hostile.ts'), "require('node:fs').writeFileSync('hostile.txt', 'ran');\n");
}, 120_000);

type Result = { code: number; stdout: string; stderr: string };

/** Runs the binary there, with nothing of this process's environment. */
async function run(args: readonly string[], stdin = ''): Promise<Result> {
  const child = Bun.spawn([binary, ...args], {
    cwd: home,
    env: {},
    stdin: new TextEncoder().encode(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

async function runJson<T>(args: readonly string[], stdin = ''): Promise<T> {
  const { code, stdout, stderr } = await run([...args, '--json'], stdin);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Without the times of its examples. */
const apiReference = async (get: (path: string) => Promise<Response>): Promise<string> =>
  (await (await get('/v1/openapi.json')).text()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

test('the folder it was built in is not part of it, so that every folder gives the same bytes', () => {
  const bytes = readFileSync(binary);
  for (const part of ['node_modules', 'src', 'cli', 'dist'].filter((name) => existsSync(join(root, name))))
    for (const path of [join(root, part), realpathSync(join(root, part))])
      expect(bytes.includes(`${path}/`), path).toBe(false);
});

test('from an empty folder to a report: init, serve, ingest, read, keys, report', async () => {
  const password = 'correct horse battery';
  const ledger = await runJson<{ projectId: string; apiKey: string }>(
    ['init', '--org', 'Acme', '--project', 'assistant', '--email', 'ada@example.com', '--password-stdin'],
    password,
  );
  expect(ledger.apiKey).toMatch(/^slk_[0-9a-f]{64}$/);

  const server = Bun.spawn([binary, 'serve', '--port', '0', '--json'], {
    cwd: home,
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  try {
    const { value } = await server.stdout.getReader().read();
    const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string };
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const source = await openTestApp();
    const expected = await apiReference(source.fetch);
    await source.close();
    // The build changes how zod derives schemas; no description may be lost.
    expect(await apiReference((path) => fetch(`${url}${path}`))).toBe(expected);

    // A key made by the command line while the server runs works at once.
    const made = await runJson<{ apiKey: string; projectId: string }>([
      'keys',
      'create',
      '--project',
      'assistant',
      '--name',
      'ci',
    ]);
    expect(made.projectId).toBe(ledger.projectId);
    const events = [1, 2, 3].map((n) =>
      JSON.stringify({
        provider: 'openai',
        model: 'gpt-4o',
        input_tokens: 1000 * n,
        output_tokens: 10 * n,
        latency_ms: 100 * n,
      }),
    );
    const ingested = await fetch(`${url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': made.apiKey, 'content-encoding': 'gzip' },
      body: gzipSync(events.join('\n')),
    });
    expect([ingested.status, await ingested.json()]).toEqual([
      202,
      { accepted: 3, duplicates: 0, rejected: [], configVersion: 1 },
    ]);

    const login = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password }),
    });
    const { token } = (await login.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const read = async <T>(path: string): Promise<T> => {
      const response = await fetch(`${url}${path}`, { headers });
      expect(response.status).toBe(200);
      return (await response.json()) as T;
    };
    const list = await read<{ total: number; events: object[] }>(`/v1/events?projectId=${ledger.projectId}`);
    expect([list.total, list.events.length]).toEqual([3, 3]);
    expect(await runJson(['sql', 'SELECT model, count(*) AS calls FROM events GROUP BY 1'])).toMatchObject({
      rows: [{ model: 'gpt-4o', calls: 3 }],
    });
    const parquet = await fetch(`${url}/v1/events/export?projectId=${ledger.projectId}&format=parquet`, {
      headers,
    });
    expect(Number(parquetMetadata(await parquet.arrayBuffer()).num_rows)).toBe(3);
    const costs = await read<{ byModel: object[] }>(`/v1/costs?projectId=${ledger.projectId}`);
    // gpt-4o: 6,000 input tokens at 2.50 and 60 output tokens at 10.00 dollars a million.
    expect(costs.byModel).toMatchObject([{ model: 'gpt-4o', calls: 3, total_cost: 0.0156 }]);

    const report = await runJson<{ byModel: object[] }>(['report', 'costs', '--project', 'assistant']);
    expect(report.byModel).toEqual(costs.byModel);
  } finally {
    server.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  }
  const plain = await run(['report', 'costs']);
  expect(plain.code).toBe(0);
  expect(plain.stdout).toContain('gpt-4o');
}, 60_000);

test('loads neither settings nor code from the current folder', () => {
  const names = readdirSync(home);
  expect(names).not.toContain('hostile.db');
  expect(names).not.toContain('hostile.txt');
});

test('files that it creates are readable only by their owner', () => {
  for (const name of readdirSync(home).filter((one) => one.startsWith('spanledger.db'))) {
    expect([name, statSync(join(home, name)).mode & 0o077]).toEqual([name, 0]);
  }
});

test('a second init is refused with 5, a missing database with 6, a typo with 2', async () => {
  const again = await run(
    ['init', '--org', 'X', '--project', 'y', '--email', 'b@example.com', '--password-stdin'],
    'long enough',
  );
  expect(again.code).toBe(5);
  expect((await run(['report', 'costs', '--db', 'file:./none.db'])).code).toBe(6);
  expect((await run(['reprot', 'costs'])).code).toBe(2);
});

test('sends mail, because the mail library is in the binary', async () => {
  const smtp = await openSmtp();
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com' };
  const server = Bun.spawn([binary, 'serve', '--port', '0', '--json'], {
    cwd: home,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  try {
    const { value } = await server.stdout.getReader().read();
    const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string };
    const body = JSON.stringify({ email: 'ada@example.com' });
    const asked = await fetch(`${url}/v1/auth/request-password-reset`, { method: 'POST', body });
    expect(asked.status).toBe(202);
    expect((await smtp.next('ada@example.com')).from).toContain('ledger@example.com');
  } finally {
    server.kill('SIGTERM');
    await server.exited;
    await smtp.close();
  }
}, 60_000);
