import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDebianPackage } from '../../cli/packaging/debian-package.ts';
import { openFolder } from '../helpers/folder.ts';
import { cliCommand } from '../helpers/server.ts';

const HAS_DPKG = Bun.which('dpkg') !== null && Bun.which('dpkg-deb') !== null;
if (process.env.CI !== undefined && !HAS_DPKG) throw new Error('dpkg is missing');

const folder = openFolder();
afterAll(() => folder.remove());

/** A script that runs the program under test, because the binary would be copied four times. */
function program(): string {
  const path = folder.path('spanledger');
  const words = cliCommand.map((word) => `'${word}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return path;
}

const build = (version: string, to: string, binary = program()): string => {
  const path = folder.path(to);
  buildDebianPackage({
    binary,
    version,
    architecture: 'amd64',
    to: path,
    epoch: 1_700_000_000,
    compression: 'none',
  });
  return path;
};

/** A system of its own in a folder, on which packages are installed without touching this one. */
const system = folder.path('root');
const at = (path: string): string => join(system, path);

async function dpkg(...words: string[]): Promise<string> {
  const force = [
    '--force-not-root',
    '--force-script-chrootless',
    '--force-depends',
    '--force-architecture',
    '--force-bad-path',
    '--force-unsafe-io',
    '--force-confold',
  ];
  const child = Bun.spawn(
    ['dpkg', `--root=${system}`, `--log=${folder.path('dpkg.log')}`, ...force, ...words],
    {
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`dpkg ${words.join(' ')}: ${stderr}`);
  return stdout;
}

async function installed(...words: string[]): Promise<Record<string, unknown>> {
  const child = Bun.spawn(
    [at('usr/bin/spanledger'), ...words, '--db', at('var/lib/spanledger/ledger.db'), '--json'],
    {
      stdin: new TextEncoder().encode('correct horse battery'),
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.skipIf(!HAS_DPKG)('the Debian package', () => {
  beforeAll(() => {
    for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/spanledger'])
      mkdirSync(at(path), { recursive: true });
    writeFileSync(at('var/lib/dpkg/status'), '');
  });

  test('installs, runs, survives an upgrade and a removal with its data and settings intact', async () => {
    await dpkg('--install', build('0.1.9', 'old.deb'));
    for (const path of ['usr/share/man/man1/spanledger.1.gz', 'usr/lib/systemd/system/spanledger.service'])
      expect(existsSync(at(path))).toBe(true);
    await installed(
      ...'init --org Acme --project assistant --email ada@example.com --password-stdin'.split(' '),
    );
    const settings = at('etc/spanledger/spanledger.env');
    expect((statSync(settings).mode & 0o777).toString(8)).toBe('640');
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}PORT=4999\n`);
    await dpkg('--install', build('0.2.0', 'new.deb'));
    expect(await dpkg('--status', 'spanledger')).toContain('Version: 0.2.0');
    expect(readFileSync(settings, 'utf8')).toContain('PORT=4999');
    expect((await installed('projects', 'list')).projects).toMatchObject([{ name: 'assistant' }]);
    expect((await installed('verify')).ok).toBe(true);
    const data = readFileSync(at('var/lib/spanledger/ledger.db'));
    await dpkg('--remove', 'spanledger');
    expect(existsSync(at('usr/bin/spanledger'))).toBe(false);
    expect(existsSync(settings)).toBe(true);
    expect(await dpkg('--purge', 'spanledger')).toContain('was kept');
    expect(existsSync(settings)).toBe(false);
    expect(readFileSync(at('var/lib/spanledger/ledger.db')).equals(data)).toBe(true);
  }, 120_000);

  test('has the same bytes each time', () => {
    const binary = folder.path('program');
    writeFileSync(binary, 'a program');
    const [first, second] = ['first.deb', 'second.deb'].map((name) =>
      readFileSync(build('1.0.0', name, binary)),
    );
    expect(first?.equals(second as Buffer)).toBe(true);
  });
});
