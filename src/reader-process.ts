import { lowerPriority } from './db/lower-priority.ts';
import { serveReads } from './db/serve-reads.ts';
import { modules, tables } from './features.ts';

/**
 * Entry of a reader process (`spanledger __reader PATH`). It yields to the server: a query may take its time, an
 * acknowledgement not.
 */
export function main(path: string): void {
  lowerPriority(3);
  serveReads(
    path,
    tables,
    modules.flatMap((module) => module.reads ?? []),
  );
}
