import type { EffectCall } from '../../db/effects.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { EventBatch, Receipt } from './batch.ts';
import type { EventChanges } from './change.ts';
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
export type EventStore = EventChanges &
  EventDeletion & {
    /**
     * Stores a batch with its effects, all or nothing; durable when it resolves. An event that the store has
     * already is a duplicate and changes nothing.
     * @param effects what other modules write in the same transaction, in this order; see `Effect`
     * @throws AppError also with what an effect refuses the batch with
     */
    record(scope: ProjectScope, batch: EventBatch, effects?: readonly EffectCall[]): Promise<Receipt>;
    /** Whether the store has room for more: false while what was handed over is too far ahead of the disk. */
    hasRoom(): boolean;
    /** Resolves once the store has proved that it can commit. */
    health(): Promise<void>;
  };
