import type { Ctx } from '../../context.ts';
import { isQuotaExceeded } from '../../errors.ts';
import { formatInstant, startOfNextMonth } from '../../lib/time.ts';
import type { AuditDraft } from '../audit/index.ts';
import {
  type AppliedPrice,
  normalizeUsage,
  type Pricer,
  pricerOf,
  type UnpricedReason,
  usageExtras,
} from '../pricing/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ParsedEvent } from './event.ts';
import { isAnswered } from './is-answered.ts';
import { noteExhausted } from './note-exhausted.ts';
import { noteUnpriced } from './note-unpriced.ts';
import { quotaWarned } from './quota-warned.ts';
import type { RecordBatch, RecordResult } from './stores/sqlite/ingest/record-op.ts';
import { priceIdsOf } from './stores/sqlite/rows/price-ids.ts';
import { type Pricing, takeShapes, toRow } from './stores/sqlite/rows/row.ts';

/** `accepted` events are in the store now, `duplicates` of them were there before. */
export type RecordReply = { accepted: number; duplicates: number };

/** A line that was refused: kept for 7 days. `body` is its redacted JSON, null where it could not be read. */
export type RefusedLine = { line: number; error: string; body: string | null };

/** What else is written with a batch: lines to keep aside, ids of lines that it takes out again, audit entries. */
export type RecordExtras = {
  readonly refused?: readonly RefusedLine[];
  readonly released?: readonly string[];
  /** What the audit log tells of it, in the same transaction. */
  readonly audit?: readonly AuditDraft[];
  /**
   * The events are OTLP spans: a call that several of them stand for counts once, over all batches of its
   * trace. A native event states itself what it is and is neither compared nor compared with.
   */
  readonly spans?: boolean;
};

/**
 * The only way in. Prices the events and hands them to the writer; resolves after the COMMIT that made
 * them durable, roll-ups and the month's counter included.
 * @param scope whose events they are, with the events the organization may have this month and the key
 *   with which they came, if any
 * @throws AppError 429 `Monthly quota exceeded` (nothing stored), 503 when the store can't write
 */
export async function recordEvents(
  ctx: Ctx,
  scope: ProjectScope & { readonly monthlyEvents: number; readonly keyId?: string },
  events: readonly ParsedEvent[],
  { refused = [], released = [], audit = [], spans = false }: RecordExtras = {},
): Promise<RecordReply> {
  const now = ctx.now();
  const pricer = await pricerOf(ctx, scope.organizationId);
  const priced = events.map((event) =>
    priceEvent(pricer, event, (reason) => noteUnpriced(ctx, scope, event, reason)),
  );
  const ids = await priceIdsOf(ctx, scope.no, priced);
  const rows = events.map((event, i) => toRow(scope.no, event, withId(priced[i] as PricedCall, ids)));
  const batch: RecordBatch = {
    project: scope.no,
    keyId: scope.keyId ?? null,
    organizationId: scope.organizationId,
    now,
    day: formatInstant(now).slice(0, 10),
    quota: scope.monthlyEvents,
    resetSeconds: Math.max(1, Math.ceil((startOfNextMonth(now) - now) / 1000)),
    shapes: takeShapes(rows),
    rows: JSON.stringify(rows),
    spans,
    undated: events.flatMap((event, place) => (event.dated ? [] : [place])),
    refused: refused.map(({ line, error, body }) => [Bun.randomUUIDv7(), scope.no, now, line, error, body]),
    released,
    audit,
  };
  const { duplicates, warned } = await write(ctx, batch, events.length + refused.length);
  if (warned) ctx.emit(quotaWarned);
  return { accepted: events.length, duplicates };
}

async function write(ctx: Ctx, batch: RecordBatch, weight: number): Promise<RecordResult> {
  try {
    return await ctx.db.writer.write<RecordResult>('events.record', batch, weight);
  } catch (error) {
    const { organizationId, day, quota } = batch;
    if (isQuotaExceeded(error)) noteExhausted(ctx, { organizationId, month: day.slice(0, 7), quota });
    throw error;
  }
}

/** A price on its way to the store: `applied` is the price itself, which the store knows by number. */
export type PricedCall = Omit<Pricing, 'price'> & { readonly applied: AppliedPrice | null };

const withId = ({ applied, ...pricing }: PricedCall, ids: ReadonlyMap<AppliedPrice, number>): Pricing => ({
  ...pricing,
  price: applied === null ? null : (ids.get(applied) ?? null),
});

function priceEvent(
  pricer: Pricer,
  event: ParsedEvent,
  onUnpriced: (reason: UnpricedReason) => void,
): PricedCall {
  const { buckets } = normalizeUsage(event);
  const is_call = event.kind === 'llm' || event.kind === 'embedding';
  const none = { is_call, buckets, cost_nano: null, applied: null };
  if (!is_call) return { ...none, cost_status: null };
  if (event.cost_usd !== null) {
    return { ...none, cost_nano: Math.round(event.cost_usd * 1e9), cost_status: 'client' };
  }
  const { provider, model, ts, usage, metadata } = event;
  const extras = usageExtras(usage, metadata);
  const priced = pricer.priceCall({
    provider,
    model,
    ts,
    buckets,
    extras,
    answered: isAnswered(event.status),
  });
  if (priced.status === 'unpriced') {
    onUnpriced(priced.reason);
    return { ...none, cost_status: 'unpriced' };
  }
  return { ...none, cost_nano: priced.cost_nano, cost_status: priced.status, applied: priced.price };
}
