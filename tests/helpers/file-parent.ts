import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Free space and free memory that a run needs to put its files there. */
const ROOM_BYTES = 6 * 2 ** 30;

/**
 * The folder for the files of a run: the one in memory, where a commit does not wait for a disk, if it has room and
 * programs may be started from it, otherwise the system's. `TMPDIR` overrides it.
 */
export function fileParent(): string {
  if (process.env.TMPDIR !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES || !startsPrograms(IN_MEMORY)) return tmpdir();
  } catch {
    return tmpdir();
  }
  return IN_MEMORY;
}

/** Containers often mount it without the right to execute, which the binary and its driver need. */
function startsPrograms(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'spanledger-probe-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o700);
    return Bun.spawnSync([program]).exitCode === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
