import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliCommand } from '../helpers/server.ts';

const command = cliCommand.map((word) => `"${word}"`).join(' ');
const dir = mkdtempSync(join(tmpdir(), 'spanledger-cli-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const spanledger = (args: readonly string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...cliCommand, ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
};

interface Shown {
  readonly settings: readonly { key: string; value: unknown; source: string }[];
}

describe('config show', () => {
  test('shows each value with its source; flags override the environment, which overrides the env file', () => {
    const envFile = join(dir, 'settings.env');
    writeFileSync(envFile, '# ours\nexport HOST=0.0.0.0\nSIGNUP="open"\nPORT=1\nLOG_LEVEL=warn\n');
    const { code, stdout } = spanledger(
      ['--env-file', envFile, 'config', 'show', '--db', 'mine.db', '--json'],
      { PORT: '2', SIGNUP: 'closed', DATABASE_URL: 'file:theirs.db', BETTER_AUTH_SECRET: 's'.repeat(32) },
    );
    expect(code).toBe(0);
    const { settings } = JSON.parse(stdout) as Shown;
    const shown = Object.fromEntries(settings.map(({ key, value, source }) => [key, [value, source]]));
    expect(shown).toMatchObject({
      DATABASE_URL: ['file:mine.db', 'flag'],
      PORT: [2, 'environment'],
      SIGNUP: ['closed', 'environment'],
      HOST: ['0.0.0.0', 'env file'],
      LOG_LEVEL: ['warn', 'env file'],
      DEFAULT_PLAN: ['free', 'default'],
      BETTER_AUTH_SECRET: ['********', 'environment'],
    });
    expect(stdout).not.toContain('sss');
  });

  test('names the nearest key for an unknown one in the env file', () => {
    const envFile = join(dir, 'typo.env');
    writeFileSync(envFile, 'PROT=1\n');
    const { code, stderr } = spanledger(['config', 'show', '--env-file', envFile]);
    expect(code).toBe(2);
    expect(stderr).toBe('error[config]: PROT (env file) is not a setting\n  fix: Did you mean PORT?\n');
  });
});

const plain: readonly (readonly string[])[] = [
  ['--help'],
  ['config', 'show'],
  ['config', 'show', '--help'],
  ['nope'],
  [],
];
test.each(plain)('%s %s %s has no ESC byte in a pipe, and FORCE_COLOR is respected', (...args) => {
  const words = args.filter((word) => typeof word === 'string');
  const { stdout, stderr } = spanledger(words);
  expect(stdout + stderr).not.toContain('\u001b');
  const forced = spanledger(words, { FORCE_COLOR: '1' });
  expect(forced.stdout + forced.stderr).toContain('\u001b[');
});

test('a closed pipe is not a failure', async () => {
  const shell = `${command} config show | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = Bun.spawnSync(['bash', '-c', shell], { cwd: dir });
  expect(stdout.toString()).toBe('0\n');
  expect(stderr.toString()).toBe('');
});

test('a command works with standard input closed', () => {
  const shell = `${command} config show --json <&-`;
  const { exitCode, stdout } = Bun.spawnSync(['bash', '-c', shell], { cwd: dir });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout.toString())).toHaveProperty('settings');
});
