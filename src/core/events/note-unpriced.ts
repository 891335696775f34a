import type { Ctx, Service } from '../../context.ts';
import type { UnpricedReason } from '../pricing/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ParsedEvent } from './event.ts';

/** Maximum number of logged models, so that a sender with invented names cannot fill the log or memory. */
const MOST = 500;
/** Maximum per organization, so that one sender cannot use up the limit of others. */
const MOST_OF_ONE = 50;
/** Senders choose the names, so they are truncated in the log. */
const NAME_LENGTH = 120;

/** Logged models by organization, and their total number. */
type Noted = { readonly of: Map<string, Set<string>>; all: number };
export const unpricedNotes: Service<Noted> = {
  name: 'events.unpriced_notes',
  open: () => ({ of: new Map(), all: 0 }),
};

/** Logs that calls of a model have no price, once per model and process. */
export function noteUnpriced(
  ctx: Ctx,
  { organizationId, projectId }: ProjectScope,
  { provider, model }: Pick<ParsedEvent, 'provider' | 'model'>,
  reason: UnpricedReason,
): void {
  // A call without usage says nothing about its model's price.
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
    'a model has no price, so its calls have no cost; set one with `prices set`',
  );
  if (own.size === MOST_OF_ONE || known.all === MOST)
    ctx.log.warn({ projectId }, 'further models without a price are not logged');
}
