import type { Ctx, Service } from '../../context.ts';
import type { UnpricedReason } from '../pricing/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ParsedEvent } from './event.ts';

/** Models that are told one by one; a sender that makes names up is not to fill the log, nor the memory. */
const MOST = 500;
/** Of one organization, so that no sender silences what others are told. */
const MOST_OF_ONE = 50;
/** Names are the senders': as much of one as tells it. */
const NAME_LENGTH = 120;

/** The models that were told, by organization, and how many they are. */
type Told = { readonly of: Map<string, Set<string>>; all: number };
export const unpricedNotes: Service<Told> = {
  name: 'events.unpriced_notes',
  open: () => ({ of: new Map(), all: 0 }),
};

/** Says in the log that calls of a model have no price: once for each model while the process runs. */
export function noteUnpriced(
  ctx: Ctx,
  { organizationId, projectId }: ProjectScope,
  { provider, model }: Pick<ParsedEvent, 'provider' | 'model'>,
  reason: UnpricedReason,
): void {
  // A call that does not say what it used tells nothing of its model's price.
  if (model === null || reason === 'no_usage') return;
  const known = ctx.use(unpricedNotes);
  const own = known.of.get(organizationId) ?? new Set<string>();
  const key = JSON.stringify([provider, model].map((name) => name?.slice(0, NAME_LENGTH)));
  if (own.has(key) || own.size >= MOST_OF_ONE || known.all >= MOST) return;
  known.of.set(organizationId, own.add(key));
  known.all++;
  const names = { provider: provider?.slice(0, NAME_LENGTH), model: model.slice(0, NAME_LENGTH) };
  ctx.log.warn(
    { projectId, ...names, reason },
    'a model has no price: its calls are in no cost; set one with `prices set`',
  );
  if (own.size === MOST_OF_ONE || known.all === MOST)
    ctx.log.warn({ projectId }, 'more models without a price are not told in the log');
}
