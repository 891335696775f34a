import { z } from 'zod';
import { databaseBytes } from './folder.ts';
import { type Usage, usageOf } from './processes.ts';

/** Address and credentials of the server that a benchmark started. */
const benchAccessSchema = z.object({
  url: z.string(),
  apiKey: z.string(),
  bearer: z.string(),
  projectId: z.string(),
});
export type BenchAccess = z.infer<typeof benchAccessSchema>;

/** A server that a benchmark started in a child process. */
export type Target = BenchAccess & {
  readonly path: string;
  usage(): Usage;
  /** Bytes of the file including its write-ahead log. */
  fileBytes(): number;
  stop(): Promise<void>;
};

/** Starts the server on `path`: a benchmark's file or a new one. `self` is the command line of this program. */
export async function startTarget(self: readonly string[], path: string): Promise<Target> {
  const child = Bun.spawn([...self, '__bench', path], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  const { value } = await child.stdout.getReader().read();
  if (value === undefined) throw new Error(`the benchmark's server ended with ${await child.exited}`);
  const access = benchAccessSchema.parse(JSON.parse(new TextDecoder().decode(value)));
  return {
    ...access,
    path,
    usage: () => usageOf(child.pid),
    fileBytes: () => databaseBytes(path),
    async stop() {
      await child.stdin.end();
      await child.exited;
    },
  };
}
