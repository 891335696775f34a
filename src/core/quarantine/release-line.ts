import type { Effect, EffectCall } from '../../db/effects.ts';
import { notFound } from '../../errors.ts';
import type { ProjectScope } from '../tenancy/index.ts';

type Release = { readonly project: number; readonly id: string };

/** Deletes a refused line. Throws 404, which rejects the batch, if the line no longer exists. */
export const releaseLineEffect: Effect<Release, unknown, void> = {
  name: 'quarantine.release',
  open(connection) {
    const remove = connection.prepare('DELETE FROM quarantined_events WHERE id = ? AND project = ?');
    return {
      apply({ project, id }) {
        if (remove.run([id, project]).changes === 0)
          throw notFound('This line is no longer in the quarantine');
      },
    };
  },
};

/** The effect that deletes a line when its corrected event is recorded. */
export function releaseLine({ no: project }: Pick<ProjectScope, 'no'>, id: string): EffectCall {
  const payload: Release = { project, id };
  return { effect: releaseLineEffect.name, payload, rows: 1 };
}
