import type { EventDeletion } from './deletion.ts';

/**
 * Where events are kept, behind one asynchronous interface: nothing else in the product reads or writes event
 * data, so that another engine can take the place of this one. Two rules hold for every store:
 *
 * - Each method takes a scope whose caller was checked, and shows nothing outside of it.
 * - Queries are data. How a store runs them (reader processes, another server) is its own business.
 *
 * Each call reads one consistent snapshot. Methods reject with an AppError: 400 for a cursor that was not given
 * out and for a question that would read too much, 503 with `Retry-After` while the store is busy or can't write.
 */
export type EventStore = EventDeletion & {
  /** Resolves once the store has proved that it can commit. */
  health(): Promise<void>;
};
