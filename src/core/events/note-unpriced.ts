import type { Ctx } from '../../context.ts';
import type { ProjectScope } from '../../http/route.ts';
import type { UnpricedReason } from '../pricing/index.ts';
import type { ParsedEvent } from './event.ts';

/** Models that are told one by one; a sender that makes names up is not to fill the log, nor the memory. */
const MOST = 500;
/** Names are the senders': as much of one as tells it. */
const NAME_LENGTH = 120;

const told = new WeakMap<Ctx, Set<string>>();

/** Says in the log that calls of a model have no price: once for each model while the process runs. */
export function noteUnpriced(
  ctx: Ctx,
  { organizationId, projectId }: ProjectScope,
  { provider, model }: Pick<ParsedEvent, 'provider' | 'model'>,
  reason: UnpricedReason,
): void {
  // A call that does not say what it used tells nothing of its model's price.
  if (model === null || reason === 'no_usage') return;
  const seen = told.get(ctx) ?? new Set<string>();
  told.set(ctx, seen);
  const key = JSON.stringify([organizationId, provider, model].map((name) => name?.slice(0, NAME_LENGTH)));
  if (seen.has(key) || seen.size >= MOST) return;
  seen.add(key);
  const names = { provider: provider?.slice(0, NAME_LENGTH), model: model.slice(0, NAME_LENGTH) };
  ctx.log.warn(
    { projectId, ...names, reason },
    'a model has no price: its calls are in no cost; set one with `prices set`',
  );
  if (seen.size === MOST) ctx.log.warn('more models without a price are not told in the log');
}
