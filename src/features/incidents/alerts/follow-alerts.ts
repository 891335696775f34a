import type { Ctx } from '../../../context.ts';
import type { AlertChange } from '../../../core/alerts/index.ts';
import { findProject } from '../../../core/projects/index.ts';
import { operatorScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import type { Followed } from '../../../module.ts';
import { changeIncident } from '../change/change-incident.ts';
import { readIncidentCause } from '../root-cause-of.ts';

/** The actor of what alerts do to incidents. */
const ACTOR = { kind: 'system', name: 'incidents' } as const;

/** Has an incident follow a change of an alert. It may be called again with the same change, which then does nothing. */
export async function followAlert(ctx: Ctx, change: AlertChange): Promise<Followed> {
  const { projectId } = change;
  const cause = await causeOf(ctx, change);
  try {
    await changeIncident(ctx, { kind: 'alert', now: ctx.now(), actor: ACTOR, projectId, change, cause });
  } catch (error) {
    // The project was deleted meanwhile.
    if (error instanceof AppError && error.status === 404) return 'done';
    throw error;
  }
  return 'done';
}

/** The root cause in a sentence, for the notification of an incident; null if it cannot be told. */
async function causeOf(ctx: Ctx, change: AlertChange): Promise<string | null> {
  const { outcome, measure, dimensions, windowStart, at } = change;
  if (outcome !== 'fired' && outcome !== 'escalated') return null;
  const about = { alerts: [], startedAt: at, resolvedAt: null, measure, dimensions };
  try {
    const scope = operatorScope(await findProject(ctx, change.projectId));
    const { summary, status } = await readIncidentCause(
      ctx,
      scope,
      { ...about, startedAt: Math.max(windowStart, at - 3_600_000) },
      undefined,
    );
    return status === 'explained' || status === 'spread' ? summary : null;
  } catch (error) {
    ctx.log.warn({ err: error, alert: change.alertId }, 'no root cause for a notification');
    return null;
  }
}
