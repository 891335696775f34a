import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The absolute path of a file without links, as SQLite opens it; the file may be missing. A process that names it by a
 * link then finds the lock, the secret and the socket of one that does not.
 */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const target = linkTarget(absolute);
    if (target !== null) return realPath(target);
    const folder = dirname(absolute);
    return folder === absolute ? absolute : join(realPath(folder), basename(absolute));
  }
}

/** Where a link leads to whose target is missing; null for anything else, and for a link that leads to itself. */
function linkTarget(path: string): string | null {
  try {
    const target = resolve(dirname(path), readlinkSync(path));
    return target === path ? null : target;
  } catch {
    return null;
  }
}
