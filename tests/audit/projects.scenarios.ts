import { findProject } from '../../src/core/projects/index.ts';
import { sqlOp } from '../../src/db/sql-op.ts';
import { dropDamaged } from '../../src/features/damage/actions.ts';
import { eraseUser } from '../../src/features/erasure/index.ts';
import { type AuditScenarios, scenario } from '../helpers/audit.ts';

export const scenarios: AuditScenarios = {
  'PUT /v1/projects/:id/sdk-config': scenario({
    act: ({ fetch, seed }) =>
      fetch(`/v1/projects/${seed.projectId}/sdk-config`, {
        method: 'PUT',
        bearer: seed.bearer,
        json: { sampleRate: 0.5 },
      }),
    tells: ['sdk_config.updated'],
  }),
  'POST /v1/projects/:id/erasures': scenario({
    act: ({ fetch, seed }) =>
      fetch(`/v1/projects/${seed.projectId}/erasures`, { bearer: seed.bearer, json: { userId: 'u-1' } }),
    tells: ['end_user.erasure_requested'],
  }),
  'events.drop_damaged': scenario({
    async prepare({ ctx, seed }) {
      const { no } = await findProject(ctx, seed.projectId);
      await ctx.db.writer.write(sqlOp, [
        {
          sql: `INSERT INTO event_log_damaged (project, at, reason, events, first_ts, last_ts, labels, ids, pack)
            VALUES (?, 0, 'of a test', 1, 0, 0, '[]', x'00', x'00')`,
          args: [no],
        },
      ]);
    },
    events: 'file',
    act: ({ app, seed }) => app.act(dropDamaged, { project: seed.projectId }),
    tells: ['events.given_up'],
  }),
  'projects.erase_user': scenario({
    act: ({ app, seed }) => app.act(eraseUser, { project: seed.projectId, userId: 'u-1' }),
    tells: ['end_user.erasure_requested', 'end_user.erased'],
  }),
};
