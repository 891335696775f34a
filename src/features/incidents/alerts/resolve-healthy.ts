import type { Job } from '../../../module.ts';
import { changeIncident } from '../change/change-incident.ts';
import { listHealthy } from '../queries.ts';

const AT_ONCE = 100;

/** Resolves incidents whose alerts have been healthy for long enough. */
export const resolveHealthy: Job = {
  name: 'incidents.resolve_healthy',
  summary: 'Resolve incidents whose alerts have been healthy for long enough',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let resolved = 0;
    const actor = { kind: 'system', name: 'incidents.resolve_healthy' } as const;
    for (const { id, projectId, before } of await listHealthy(ctx, AT_ONCE)) {
      signal.throwIfAborted();
      const outcome = await changeIncident(ctx, {
        kind: 'healthy',
        now: ctx.now(),
        actor,
        projectId,
        id,
        before,
      });
      if (outcome.id !== null) resolved++;
    }
    return resolved === 0 ? {} : { resolved };
  },
};
