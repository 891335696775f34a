import type { EffectCall } from '../../db/effects.ts';
import type { ProjectScope } from '../tenancy/index.ts';

/** Deleted rows by table, for the summary of a job. The names are internal to the store. */
export type DeletedRows = Readonly<Record<string, number>>;

/** Long-running deletion. It can stop after any slice; the next call resumes it. */
export type DeletionTask = {
  /** Stops after the current slice; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called after each slice with the total number of deleted rows. */
  readonly onProgress?: (deleted: number) => void;
};

/** The user to erase. */
export type ErasedUser = {
  readonly userId: string;
  /** Pseudonym for the user's remaining empty sums. Pass the same name in every call for one erasure. */
  readonly name: string;
};

/** Outcome of a slice of an erasure, as passed to its effects. `cursor` is the start of the next slice. */
export type ErasureOutcome = { readonly events: number; readonly cursor: number };

export type ErasureTask = {
  readonly signal: AbortSignal;
  /** Start of the work: 0, or the last recorded cursor. */
  readonly cursor: number;
  /** Committed with each slice; they receive its `ErasureOutcome`. */
  readonly effects: readonly EffectCall[];
};

/** Deletion of events. Every deletion updates the sums, except `deleteBefore`, which keeps them. */
export type EventDeletion = {
  /**
   * Deletes raw events of a project with a time before an instant (epoch milliseconds, exclusive), including events
   * that arrived late. Their sums are kept.
   */
  deleteBefore(scope: ProjectScope, time: number, task: DeletionTask): Promise<DeletedRows>;
  /** Deletes all stored data of a project. */
  purge(scope: ProjectScope, task: DeletionTask): Promise<DeletedRows>;
  /**
   * Deletes all events of a user and subtracts them from all sums. Renames the user's id where names and tags of other
   * events are exactly the id; metadata and content of other events stay as sent.
   */
  eraseUser(scope: ProjectScope, user: ErasedUser, task: ErasureTask): Promise<void>;
  /** Progress of an erasure with this cursor: the fraction (0 to 1) of the project's events that was scanned. */
  erasureProgress(scope: ProjectScope, cursor: number): Promise<number>;
};
