import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { cliCommand } from '../helpers/server.ts';
import { emptyLedger, INIT, inputOf, PASSWORD, type TestLedger } from './ledger.ts';

const ledgers: TestLedger[] = [];
const running: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL');
    await child.exited;
  }
  for (const ledger of ledgers.splice(0)) ledger.remove();
});

const fresh = (): TestLedger => {
  const ledger = emptyLedger();
  ledgers.push(ledger);
  return ledger;
};

interface Ready {
  readonly url: string;
  readonly database: string;
  readonly migrated: readonly string[];
  readonly setup?: { url: string; expiresAt: string };
  readonly demo?: { email: string; password: string; apiKey: string | null };
}

/** Starts a server in the ledger's folder and waits for its ready line. */
const start = (ledger: TestLedger, ...words: string[]) => startBy([], ledger, words);

/** The same below another program. */
const startBy = async (program: readonly string[], ledger: TestLedger, words: readonly string[]) => {
  const child = Bun.spawn([...program, ...cliCommand, 'serve', '--port', '0', '--json', ...words], {
    cwd: ledger.dir,
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  running.push(child);
  const errors = new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  let text = '';
  while (!text.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the server ended: ${await errors}`);
    text += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return { child, errors, ready: JSON.parse(text) as Ready };
};

const login = ({ url }: Ready, { demo }: Ready): Promise<Response> =>
  fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: demo?.email, password: demo?.password }),
  });

describe('serve', () => {
  test('creates the file, prints its path and a setup link; Ctrl-C exits with 130', async () => {
    const ledger = fresh();
    const { child, errors, ready } = await start(ledger, '--db', ledger.path);
    expect(ready).toMatchObject({ ready: true, database: ledger.path, url: expect.stringMatching(/^http:/) });
    expect(ready.migrated.length).toBeGreaterThan(1);
    expect(ready.setup?.url).toMatch(/\/setup#token=[0-9a-f]{64}$/);
    expect(Date.parse(ready.setup?.expiresAt ?? '') - Date.now()).toBeCloseTo(30 * 60_000, -4);
    child.kill('SIGINT');
    expect(await child.exited).toBe(130);
    expect(await errors).toContain('Stopped');
  });

  test.skipIf(process.platform !== 'linux')(
    'a terminal that is closed stops it as SIGTERM does, unless it was started with nohup',
    async () => {
      const ledger = fresh();
      const { child, errors } = await start(ledger, '--db', ledger.path);
      child.kill('SIGHUP');
      expect(await child.exited).toBe(0);
      expect(await errors).toContain('Stopped; all acknowledged events are stored');
      const kept = await startBy(['nohup'], ledger, ['--db', ledger.path]);
      kept.child.kill('SIGHUP');
      expect((await fetch(`${kept.ready.url}/healthz`)).status).toBe(200);
      kept.child.kill('SIGTERM');
      expect(await kept.child.exited).toBe(0);
    },
  );

  test('while it runs, commands read the file and write through the server', async () => {
    const ledger = fresh();
    const { child, ready } = await start(ledger, '--db', ledger.path);
    expect((await ledger.run([...INIT], inputOf(PASSWORD))).code).toBe(0);
    const words = 'keys create --project assistant --name live --json'.split(' ');
    const { apiKey } = JSON.parse((await ledger.run(words)).stdout) as { apiKey: string };
    const send = (): Promise<Response> =>
      fetch(`${ready.url}/v1/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey },
        body: JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 10, output_tokens: 5 }),
      });
    expect((await send()).status).toBe(202);
    const { keys } = (await ledger.json('keys', 'list')) as { keys: { id: string; name: string }[] };
    const { id = '' } = keys.find(({ name }) => name === 'live') ?? {};
    expect((await ledger.run(['keys', 'revoke', id, '--yes'])).code).toBe(0);
    expect((await send()).status).toBe(401);
    expect((await ledger.run(['keys', 'rotate', 'nope'])).code).toBe(3);
    expect(await ledger.json('migrate', 'up')).toMatchObject({ applied: [] });
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
  });

  test('a port in use is a conflict, and the file is released', async () => {
    const ledger = fresh();
    const { ready } = await start(ledger, '--db', ledger.path);
    const other = fresh();
    const { code, stderr } = await other.run(['serve', '--port', new URL(ready.url).port]);
    expect(code).toBe(5);
    expect(stderr).toContain('is in use\n  fix: Stop it, or choose another one with --port');
    expect((await other.run([...INIT], inputOf(PASSWORD))).code).toBe(0);
  });

  test.each(['203.0.113.7', 'http://x', 'nohost.invalid'])('HOST %s is a wrong setting', async (host) => {
    const { code, stderr } = await fresh().run(['serve', '--port', '0', '--host', host]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`error[config]: HOST "${host}" is no address`),
    ]);
  });

  test('an address below a path, where the dashboard does not work, is warned of', async () => {
    const ledger = fresh();
    const envFile = join(ledger.dir, 'env');
    const warned = async (url: string): Promise<string> => {
      await Bun.write(envFile, `PUBLIC_URL=${url}\n`);
      const { child, errors } = await start(ledger, '--db', ledger.path, '--env-file', envFile);
      child.kill('SIGTERM');
      return errors;
    };
    expect(await warned('https://example.com/ledger')).toContain('only at the root of a host name');
    expect(await warned('https://ledger.example.com')).not.toContain('only at the root');
  });

  test('a second server on the same file is refused', async () => {
    const ledger = fresh();
    await start(ledger, '--db', ledger.path);
    const { code, stderr } = await ledger.run(['serve', '--port', '0']);
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /in use by another spanledger process( \(pid \d+\))?\n {2}fix: Wait for it to finish, stop it, or/,
    );
  });
});

describe('serve --demo', () => {
  test('creates a demo in the working directory, and prints a sign-in at every start', async () => {
    const ledger = fresh();
    const first = await start(ledger, '--demo');
    expect(first.ready.database).toBe(join(ledger.dir, 'spanledger-demo.db'));
    expect(first.ready.demo?.apiKey).toMatch(/^slk_/);
    expect((await login(first.ready, first.ready)).status).toBe(200);
    first.child.kill('SIGTERM');
    await first.child.exited;
    expect(await first.errors).toMatch(/2\d,\d{3} demo events recorded/);
    const keys = await ledger.run(['keys', 'list', '--json', '--db', first.ready.database]);
    const listed = JSON.parse(keys.stdout) as { keys: { name: string; lastUsedAt: string | null }[] };
    const used = listed.keys.filter(({ lastUsedAt }) => lastUsedAt !== null);
    expect(used.map(({ name }) => name)).toContain('backend');

    const second = await start(ledger, '--demo');
    expect(second.ready.demo?.apiKey).toBeNull();
    expect((await login(second.ready, second.ready)).status).toBe(200);
    expect((await login(second.ready, first.ready)).status).toBe(401);
  }, 60_000);

  test('refuses a file that is not a demo', async () => {
    const ledger = fresh();
    await ledger.run([...INIT], inputOf(PASSWORD));
    const { code, stderr } = await ledger.run(['serve', '--demo', '--db', ledger.path, '--port', '0']);
    expect(code).toBe(5);
    expect(stderr).toContain('error[not_a_demo]');
  });
});
