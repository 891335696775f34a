import type { Effect, EffectCall } from '../../db/effects.ts';
import { notFound } from '../../errors.ts';
import type { ProjectScope } from '../tenancy/index.ts';

type Release = { readonly project: number; readonly id: string };

/** Takes a kept line out. Refuses the batch with 404 when the line is not there any more. */
export const releaseLineEffect: Effect<Release, unknown, void> = {
  name: 'quarantine.release',
  open(connection) {
    const remove = connection.prepare('DELETE FROM quarantined_events WHERE id = ? AND project = ?');
    return {
      apply({ project, id }) {
        if (remove.run([id, project]).changes === 0)
          throw notFound('This line is not in the quarantine any more');
      },
    };
  },
};

/** The effect that takes a line out because the batch takes its place. */
export function releaseLine({ no: project }: Pick<ProjectScope, 'no'>, id: string): EffectCall {
  const payload: Release = { project, id };
  return { effect: releaseLineEffect.name, payload, rows: 1 };
}
