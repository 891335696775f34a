import { afterAll, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../helpers/folder.ts';

const scripts = join(import.meta.dir, '../../cli/packaging');
const folder = openFolder();
afterAll(() => folder.remove());
const log = folder.path('log');

// What stands for the system's own programs notes its arguments; `systemctl is-enabled` answers as the test says.
const bin = folder.path('bin');
mkdirSync(bin);
for (const name of ['systemctl', 'adduser', 'chown', 'chgrp']) {
  const path = join(bin, name);
  const answer = '[ "$1" != is-enabled ] || [ -e "$LOG.enabled" ] || exit 1; [ "$1" != "$FAILING" ]';
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >>"$LOG"\n${name === 'systemctl' ? answer : ''}\n`);
  chmodSync(path, 0o755);
}

/** Runs a script of the package on a machine with systemd, and returns what it asked of systemd. */
function run(script: string, args: readonly string[], { enabled = true, failing = '' } = {}): string[] {
  writeFileSync(log, '');
  rmSync(`${log}.enabled`, { force: true });
  if (enabled) writeFileSync(`${log}.enabled`, '');
  const machine =
    'for at in /run /var/lib /var/backups /var/cache; do mount -t tmpfs tmpfs $at; done; mkdir -p /run/systemd/system; exec sh "$@"';
  const { exitCode, stderr } = Bun.spawnSync(
    ['unshare', '--mount', '--map-root-user', 'sh', '-c', machine, 'sh', join(scripts, script), ...args],
    { env: { PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`, LOG: log, FAILING: failing } },
  );
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('systemctl') && !line.includes('daemon-reload'))
    .map((line) => line.replace(/^systemctl | --quiet| spanledger\.service/g, ''));
}

test('the first installation turns the service on; an upgrade leaves it on or off', () => {
  expect(run('postinst', ['configure', ''])).toEqual(['enable', 'is-enabled', 'restart']);
  expect(run('postinst', ['configure', '0.2.0'])).toEqual(['is-enabled', 'restart']);
  expect(run('postinst', ['configure', '0.2.0'], { enabled: false })).toEqual(['is-enabled', 'try-restart']);
});

test('a server that does not start leaves no half-installed package', () => {
  expect(run('postinst', ['configure', '0.2.0'], { failing: 'restart' })).toContain('restart');
});

test('a removal stops the service, and an upgrade does not', () => {
  expect(run('prerm', ['remove'])).toEqual(['stop']);
  expect(run('prerm', ['upgrade', '0.3.0'])).toEqual([]);
});

test('a purge takes what is no data', () => {
  const system = folder.path('system');
  const wants = join(system, 'etc/systemd/system/multi-user.target.wants/spanledger.service');
  const paths = [wants, join(system, 'var/cache/spanledger/driver'), join(system, 'var/lib/spanledger/l.db')];
  for (const path of paths) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
  }
  const { exitCode, stdout } = Bun.spawnSync(['sh', join(scripts, 'postrm'), 'purge'], {
    env: { PATH: '/usr/bin:/bin', DPKG_ROOT: system },
  });
  expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('was kept')]);
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, true]);
});
