import type { Ctx } from '../../context.ts';
import type { EffectCall } from '../../db/effects.ts';
import { isQuotaExceeded } from '../../errors.ts';
import { withReleases } from '../deployments/index.ts';
import { type ParsedEvent, type RecordOptions, type RecordReply, recordEvents } from '../events/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { countUsage, type UsageCount } from './count-usage.ts';
import { monthOf, noteExhausted } from './note-exhausted.ts';
import { emitWarned } from './quota-warned.ts';

/**
 * Records events as `recordEvents` does, counts the new ones and their bytes against the organization's month, and notes
 * their releases.
 * @param scope with what the organization may store in a month
 * @throws AppError 429 `Monthly quota exceeded` (nothing is stored), and what `recordEvents` throws
 */
export async function recordCounted(
  ctx: Ctx,
  scope: ProjectScope & {
    readonly monthlyEvents: number;
    readonly monthlyBytes: number;
    readonly keyId?: string;
  },
  events: readonly ParsedEvent[],
  { effects = [], ...options }: RecordOptions = {},
): Promise<RecordReply> {
  const now = ctx.now();
  const { organizationId, monthlyEvents, monthlyBytes } = scope;
  const quota = { events: monthlyEvents, bytes: monthlyBytes };
  const { day, month, resetSeconds } = monthOf(now);
  const payload: UsageCount = { organizationId, now, day, quota, resetSeconds };
  const count: EffectCall = { effect: countUsage.name, payload };
  try {
    const reply = await withReleases(ctx, scope, events, (observed) =>
      recordEvents(ctx, scope, events, { ...options, effects: [count, ...effects, ...observed] }),
    );
    const [warned, ...results] = reply.results;
    if (warned === true) emitWarned(ctx);
    return { ...reply, results };
  } catch (error) {
    if (isQuotaExceeded(error)) noteExhausted(ctx, { organizationId, month, quota });
    throw error;
  }
}
