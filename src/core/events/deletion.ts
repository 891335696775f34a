import type { EffectCall } from '../../db/effects.ts';

/** Rows deleted, by table. For the record of a job; the names are the store's own. */
export type DeletedRows = Readonly<Record<string, number>>;

/** Long work of a store. It may be stopped after any slice: the next call resumes it. */
export type DeletionTask = {
  /** The slice in hand is finished, then the call rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called after each slice with the rows that were deleted so far. */
  readonly onProgress?: (deleted: number) => void;
};

/** Which user of which project is erased. */
export type ErasedUser = {
  readonly project: number;
  readonly userId: string;
  /** What empty sums of the user are called afterwards. The same name in every call for one erasure. */
  readonly name: string;
};

/** What a slice of an erasure did, as its effects learn it: `cursor` is where the next one begins. */
export type ErasureOutcome = { readonly events: number; readonly cursor: number };

export type ErasureTask = {
  readonly signal: AbortSignal;
  /** Where to begin: 0, or the last cursor that was noted. */
  readonly cursor: number;
  /** Committed with each slice; they learn its `ErasureOutcome`. */
  readonly effects: readonly EffectCall[];
};

/** How events leave a store. Sums follow each deletion, but for `deleteBefore`: there they stay. */
export type EventDeletion = {
  /**
   * Deletes the raw events of a project before an instant (epoch milliseconds), late ones included. Their sums
   * stay. An event that is exactly as old stays.
   */
  deleteBefore(project: number, time: number, task: DeletionTask): Promise<DeletedRows>;
  /** Deletes everything that is stored of a project. */
  purge(project: number, task: DeletionTask): Promise<DeletedRows>;
  /** Deletes all events of a user with their part in all sums, and the user's id wherever else it is kept. */
  eraseUser(user: ErasedUser, task: ErasureTask): Promise<void>;
  /** The fraction (0 to 1) of a project's events that an erasure with this cursor has looked through. */
  erasureProgress(project: number, cursor: number): Promise<number>;
};
