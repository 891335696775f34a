import { join } from 'node:path';

/** How a program is started. */
export type Program = { readonly cmd: string[]; readonly env: Record<string, string | undefined> };

/** Starts a bundled program with arguments. */
export type Bundled = (args: readonly string[]) => Program;

const NODE_MODULES = join(import.meta.dir, '../../node_modules');

/**
 * Bundles a program that a test starts many times: from its source it takes twice the CPU to start.
 * @param folder where the bundle goes
 */
export async function bundleProgram(entry: string, folder: string): Promise<Bundled> {
  // The driver finds its native part by its own place.
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    outdir: folder,
    target: 'bun',
    external: ['libsql'],
  });
  const path = outputs.find(({ kind }) => kind === 'entry-point')?.path;
  if (path === undefined) throw new Error(`${entry} was not bundled`);
  return (args) => ({
    cmd: [process.execPath, path, ...args],
    env: { ...process.env, NODE_PATH: NODE_MODULES },
  });
}
