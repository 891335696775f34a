import { afterAll, expect, test } from 'bun:test';
import { openFolder } from '../helpers/folder.ts';
import { cliCommand } from '../helpers/server.ts';

const folder = openFolder();
afterAll(() => folder.remove());

/** Fills a file system of small blocks but for a few, and starts a server on it. */
const script = `
  truncate -s 24M image && mkfs.ext4 -q -b 1024 -m 0 image && mkdir disk && mount -o loop image disk || exit 99
  echo 'correct horse battery' | "$@" init --db disk/x.db --org A --project p --email a@example.com --password-stdin >/dev/null
  rm -f disk/x.db-wal disk/x.db-shm
  head -c 30M /dev/zero >disk/ballast 2>/dev/null
  truncate -s -20K disk/ballast
  timeout 20 "$@" serve --db disk/x.db --port 0
  code=$?
  umount disk
  exit $code`;
const canMount =
  process.geteuid?.() === 0 &&
  Bun.which('mkfs.ext4') !== null &&
  Bun.spawnSync(['sh', '-c', 'losetup -f']).exitCode === 0;

test.skipIf(!canMount)(
  'a full disk of small blocks is named instead of ending the process by a signal',
  () => {
    const ran = Bun.spawnSync(['unshare', '--mount', 'sh', '-c', script, 'sh', ...cliCommand], {
      cwd: folder.path('.'),
    });
    expect([ran.exitCode, ran.stderr.toString()]).toEqual([
      1,
      expect.stringContaining('error[disk_full]: The disk is full\n  fix: Free some space'),
    ]);
  },
);
