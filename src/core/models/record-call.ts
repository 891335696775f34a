import type { Ctx } from '../../context.ts';
import { AppError, isQuotaExceeded } from '../../errors.ts';
import type { StoredEvent } from '../events/contract.ts';
import {
  eventsOf,
  type ParsedEvent,
  parseEvent,
  priceEvent,
  recordEvents,
  redactorOf,
} from '../events/index.ts';
import { pricerOf } from '../pricing/index.ts';
import { readIngestSettings } from '../projects/index.ts';
import { extendScope, ofProjects, type ProjectScope } from '../tenancy/index.ts';
import { recordCounted } from '../usage/index.ts';
import type { Recorded } from './answer.ts';
import { type Settled, settle } from './settle-effect.ts';

type Fields = Readonly<Record<string, unknown>>;

const ATTEMPTS = 6;
const FIRST_DELAY_MS = 200;

/**
 * Stores the event of a call of the server and ends its reservation, in one transaction. Repeats while the store cannot
 * write. A call that was made is stored even if the monthly quota of events is used up.
 * @param answer of a successful call with a key: kept with it
 * @returns what the ledger has
 */
export async function recordCall(
  ctx: Ctx,
  scope: ProjectScope,
  fields: Fields,
  answer?: Settled['answer'],
): Promise<Recorded> {
  const settings = await readIngestSettings(ctx, scope);
  const { storePrompts, monthlyEvents, monthlyBytes } = settings;
  const parsing = { redact: redactorOf(ctx, settings.redactKeys), storePrompts, now: ctx.now() };
  const event = parsed(fields, parsing);
  const pricer = await pricerOf(ctx, scope.organizationId);
  const { cost_nano: costNano } = priceEvent(pricer, event);
  const effects = [settle({ id: event.event_id, costNano, ...(answer !== undefined && { answer }) })];
  const counted = extendScope(scope, { monthlyEvents, monthlyBytes });
  for (let attempt = 1; ; attempt++) {
    try {
      await recordCounted(ctx, counted, [event], { effects }).catch((error: unknown) => {
        if (!isQuotaExceeded(error)) throw error;
        return recordEvents(ctx, scope, [event], { effects });
      });
      return await readBack(ctx, scope, event);
    } catch (error) {
      const mayPass = error instanceof AppError && error.status === 503;
      if (!mayPass || attempt >= ATTEMPTS) throw error;
      await Bun.sleep(FIRST_DELAY_MS * 2 ** attempt);
    }
  }
}

/** The event; without what a reply made invalid, which must not lose the call. */
function parsed(fields: Fields, parsing: Parameters<typeof parseEvent>[1]): ParsedEvent {
  const result = parseEvent(fields, parsing);
  if (result.ok) return result.event;
  const { input: _, output: __, usage: ___, finish_reason: ____, ...safe } = fields;
  const metadata = { ...(fields.metadata as object | undefined), dropped: 'content and usage: not valid' };
  const again = parseEvent({ ...safe, metadata, usage: { incomplete: true } }, parsing);
  if (again.ok) return again.event;
  throw new Error(`the event of a call is not valid: ${again.error}`);
}

/** The figures as any reader of the ledger gets them. */
async function readBack(ctx: Ctx, scope: ProjectScope, event: ParsedEvent): Promise<Recorded> {
  const found = await eventsOf(ctx).event(ofProjects([scope]), { id: event.event_id, ts: event.ts });
  if (found === null) throw new Error('the event of a call was stored and is not found');
  return toRecorded(found.event);
}

export const toRecorded = (stored: StoredEvent): Recorded => ({
  timestamp: stored.timestamp,
  inputTokens: stored.input_tokens,
  outputTokens: stored.output_tokens,
  cachedInputTokens: stored.cached_input_tokens,
  reasoningTokens: stored.reasoning_tokens,
  costUsd: stored.cost_usd,
  costStatus: stored.cost_status,
});
