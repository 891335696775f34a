import type { EffectCall } from '../../db/effects.ts';
import type { EventScope, ProjectScope } from '../tenancy/index.ts';

/**
 * Stored events that can't be read. `damaged`: their bytes are kept and may become readable again. `lost`: they were
 * given up; what is left is the note that they existed.
 */
export type StoredDamage = {
  /** A `segment` is in all totals; a `batch` is in none. */
  readonly kind: 'segment' | 'batch';
  /** The store's number of it, unique for its kind. */
  readonly no: number;
  /** Number of the project. */
  readonly project: number;
  readonly state: 'damaged' | 'lost';
  readonly events: number;
  /** Times of the first and the last event in epoch milliseconds. */
  readonly first: number;
  readonly last: number;
};

/** What `checkStored` has read, damage included, and how many damaged ones can be read again. */
export type CheckedEvents = {
  readonly segments: number;
  readonly batches: number;
  readonly restored: number;
};

/** What `readStored` has read, and what of it is damaged or lost, known or not. */
export type ReadEvents = Omit<CheckedEvents, 'restored'> & { readonly damaged: readonly StoredDamage[] };

/** Damaged events. A read that needs them fails with AppError 500 `damaged`; all other events stay available. */
export type EventDamage = {
  /** The known damage of the projects, oldest events first. */
  damage(scope: EventScope): Promise<readonly StoredDamage[]>;
  /**
   * Reads everything that is stored of a project and compares the checksums. Notes new damage, and puts back what can
   * be read again.
   */
  checkStored(scope: ProjectScope, signal: AbortSignal): Promise<CheckedEvents>;
  /** Reads everything that is stored of a project and compares the checksums. Changes nothing. */
  readStored(scope: ProjectScope, signal: AbortSignal): Promise<ReadEvents>;
  /**
   * Gives up damaged events, so that reads and edits go on without them. Totals keep the events of a segment.
   * @param effects committed with it
   * @returns false if it is not damaged any more
   */
  giveUp(
    scope: ProjectScope,
    damage: Pick<StoredDamage, 'kind' | 'no'>,
    effects: readonly EffectCall[],
  ): Promise<boolean>;
};
