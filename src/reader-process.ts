import { serveReads } from './db/serve-reads.ts';
import { modules, tables } from './features.ts';
import { lowerPriority } from './http/work/lower-priority.ts';

/**
 * Entry of a reader process (`spanledger __reader PATH`). It yields the processor to the server, because many heavy
 * reads at once would make ingest and health checks wait.
 */
export function main(path: string): void {
  lowerPriority(5);
  serveReads(
    path,
    tables,
    modules.flatMap((module) => module.reads ?? []),
  );
}
