import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Page of memory. SQLite makes sure of one block for each, which is enough where a block is not smaller. */
const PAGE = 4_096;
/** The first part of the shared-memory file, 32 KB, and room for what is written beside it. */
const NEEDED = 65_536;

/**
 * Refuses to open a file for writing where the blocks of the file system are small and none are left: when the
 * shared-memory file `…-shm` is filled through memory, the kernel ends the process (SIGBUS).
 * @throws Error with the code ENOSPC
 */
export function refuseFullDisk(path: string): void {
  const { bsize, bavail } = statfsSync(dirname(path));
  if (bsize >= PAGE) return;
  // That of a process that was killed is made anew.
  const kept = (statSync(`${path}-shm`, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
  if (bavail * bsize + kept >= NEEDED) return;
  throw Object.assign(new Error(`The disk of ${path} is full`), { code: 'ENOSPC' });
}
