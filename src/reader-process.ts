import { serveReads } from './db/serve-reads.ts';
import { eventReads } from './event-reads.ts';

/** Entry of a reader process (`spanledger __reader PATH`). */
export function main(path: string): void {
  serveReads(path, eventReads, async () => (await import('./other-reads.ts')).otherReads);
}
