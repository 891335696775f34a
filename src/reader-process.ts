import { serveReads } from './db/reader-pool.ts';
import { modules } from './features.ts';

/** Entry of a reader process (`spanledger __reader PATH`). */
export function main(path: string): void {
  serveReads(
    path,
    modules.flatMap((module) => module.reads ?? []),
  );
}
