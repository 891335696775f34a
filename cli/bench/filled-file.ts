import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { BaseContext } from '../command.ts';
import { fill } from './feed.ts';
import { makeFolder } from './folder.ts';
import { startTarget, type Target } from './target.ts';

/** Type of an option: a whole number of at least `min`. */
export const count = (min: number) => z.coerce.number().int().min(min);

/** Options of benchmarks that run on a filled file. */
export const fileOptions = {
  events: {
    value: 'N',
    summary: 'Events in the file',
    type: count(1000),
    default: '1000000',
  },
  file: { value: 'FILE', summary: 'Database to use; created and kept if it does not exist' },
} as const;

/** `customers`: see `fill`. */
export interface FileOptions {
  readonly events: number;
  readonly file: string | undefined;
  readonly customers?: number;
}

/**
 * Starts a server on a file, fills it if it is new, and passes it to `measure`. Without `file` the file is temporary.
 * @param measure also receives the command line of this program
 */
export const withFilledFile = async <T>(
  ctx: BaseContext,
  options: FileOptions,
  measure: (target: Target, self: readonly string[]) => Promise<T>,
): Promise<T> => {
  const { selfCommand } = await import('../../src/db/self-command.ts');
  const folder = makeFolder();
  const path = resolve(options.file ?? join(folder.path, 'bench.db'));
  const isNew = !existsSync(path);
  const target = await startTarget(selfCommand(), path);
  try {
    if (isNew) await fill(ctx, target, options);
    return await measure(target, selfCommand());
  } finally {
    await target.stop();
    folder.remove();
  }
};
