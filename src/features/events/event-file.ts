import type { StoredEvent } from '../../core/events/contract.ts';

/** A file of events being written: pages in, bytes out. What a page adds may come out with a later one. */
export type EventFile = {
  write(events: readonly StoredEvent[]): Uint8Array | Promise<Uint8Array>;
  /** The rest of the file. */
  end(): Uint8Array | Promise<Uint8Array>;
};
