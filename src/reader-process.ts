import { serveReads } from './db/serve-reads.ts';
import { modules, tables } from './features.ts';

/** Entry of a reader process (`spanledger __reader PATH`). */
export function main(path: string): void {
  serveReads(
    path,
    tables,
    modules.flatMap((module) => module.reads ?? []),
  );
}
