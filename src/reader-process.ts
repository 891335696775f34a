import { serveReads } from './db/serve-reads.ts';
import { eventReads } from './event-reads.ts';
import { lowerPriority } from './http/work/lower-priority.ts';

/**
 * Entry of a reader process (`spanledger __reader PATH`). It yields the processor to the server, because many heavy
 * reads at once would make ingest and health checks wait.
 */
export function main(path: string): void {
  lowerPriority(5);
  serveReads(path, eventReads, async () => (await import('./other-reads.ts')).otherReads);
}
