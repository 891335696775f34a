import { lt, ne, or } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { modelsOf } from './models-of.ts';
import { recordCall } from './record-call.ts';
import { modelCalls } from './table.ts';

/** No call of this process is as old: the store did not take its event. */
const TOO_OLD_MS = 30 * MINUTE_MS;
const AT_ONCE = 100;

/**
 * `models.recover`: stores events of calls whose process ended before they did. Whether the provider did the work is not
 * known, so the events are cancelled calls of unknown cost, and the monthly cap counts what was reserved.
 */
export const recoverCalls: Job = {
  name: 'models.recover',
  summary: 'Record calls of models that a crash of the server interrupted',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const left = await listLeft(ctx);
    let recovered = 0;
    for (const row of left) {
      if (signal.aborted) break;
      if (await recover(ctx, row)) recovered++;
    }
    return recovered === 0 ? {} : { recovered };
  },
};

const listLeft = (ctx: Ctx) =>
  ctx.db.sql
    .select()
    .from(modelCalls)
    .where(
      or(
        ne(modelCalls.process, modelsOf(ctx).process),
        lt(modelCalls.startedAt, new Date(ctx.now() - TOO_OLD_MS)),
      ),
    )
    .limit(AT_ONCE);

async function recover(ctx: Ctx, { projectId, event }: typeof modelCalls.$inferSelect): Promise<boolean> {
  try {
    const scope = operatorScope(await findProject(ctx, projectId));
    await recordCall(ctx, scope, {
      ...event,
      status: 'cancelled',
      error_code: 'outcome_unknown',
      error_message: 'The server ended during the call. The provider may bill it',
      usage: { incomplete: true },
    });
    return true;
  } catch (error) {
    // A deleted project: its rows are purged with it.
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, projectId }, 'the event of an interrupted call was not recorded');
    return false;
  }
}
