import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { ErasedUser, ErasureOutcome } from '../../../deletion.ts';
import { createUserEraser } from './user-eraser.ts';

/** A user to erase, and the number of the project. */
export type UserOfProject = ErasedUser & { readonly project: number };

export type EraseSlice = Pick<UserOfProject, 'project' | 'userId'> & {
  readonly cursor: number;
  /** Maximum number of events in the slice. */
  readonly max: number;
  readonly effects: readonly EffectCall[];
};

/** `next` is the chunk to continue with, null at the end; `ms` is the time before COMMIT. */
export type EraseReply = { readonly next: number | null; readonly events: number; readonly ms: number };

/** Deletes a few events of a user and runs the effects. */
export const eraseSliceOp: WriteOp<EraseSlice, EraseReply> = {
  name: 'events.erase_slice',
  open(connection, env) {
    const eraser = createUserEraser(connection, env);
    return {
      apply({ project, userId, cursor, max, effects }) {
        const since = performance.now();
        const { events, next } = eraser.eraseSlice({ project, userId }, { chunk: cursor, max });
        const outcome: ErasureOutcome = { events, cursor: next ?? cursor };
        env.effects.apply(effects, outcome);
        return { next, events, ms: performance.now() - since };
      },
    };
  },
};

/** Replaces the id of a user whose events are deleted by a pseudonym. Idempotent. */
export const renameUserOp: WriteOp<UserOfProject, void> = {
  name: 'events.rename_user',
  open(connection, env) {
    const eraser = createUserEraser(connection, env);
    return { apply: ({ project, userId, name }) => eraser.rename(project, userId, name) };
  },
};
