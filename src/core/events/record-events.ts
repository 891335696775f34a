import type { Ctx } from '../../context.ts';
import type { ProjectScope } from '../../http/route.ts';
import { monthKey, startOfNextMonth } from '../../lib/time.ts';
import type { AuditDraft } from '../audit/index.ts';
import { normalizeUsage, type Pricer, pricerOf } from '../pricing/index.ts';
import type { ParsedEvent } from './event.ts';
import type { RecordBatch, RecordResult } from './record-op.ts';
import { type Pricing, toRow } from './row.ts';

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
};

/**
 * The only way in. Prices the events and hands them to the writer; resolves after the COMMIT that made
 * them durable, roll-ups and the month's counter included.
 * @param scope whose events they are, with the events the organization may have this month
 * @throws AppError 429 `Monthly quota exceeded` (nothing stored), 503 when the store can't write
 */
export async function recordEvents(
  ctx: Ctx,
  scope: ProjectScope & { readonly monthlyEvents: number },
  events: readonly ParsedEvent[],
  { refused = [], released = [], audit = [] }: RecordExtras = {},
): Promise<RecordReply> {
  const now = ctx.now();
  const pricer = pricerOf(ctx);
  const batch: RecordBatch = {
    project: scope.no,
    organizationId: scope.organizationId,
    month: monthKey(now),
    quota: scope.monthlyEvents,
    resetSeconds: Math.max(1, Math.ceil((startOfNextMonth(now) - now) / 1000)),
    rows: JSON.stringify(events.map((event) => toRow(scope.no, event, price(pricer, event)))),
    undated: events.flatMap((event, place) => (event.dated ? [] : [place])),
    refused: refused.map(({ line, error, body }) => [Bun.randomUUIDv7(), scope.no, now, line, error, body]),
    released,
    audit,
  };
  const result = await ctx.db.writer.write<RecordResult>(
    'events.record',
    batch,
    events.length + refused.length,
  );
  return { accepted: events.length, duplicates: result.duplicates };
}

function price(pricer: Pricer, event: ParsedEvent): Pricing {
  const { buckets } = normalizeUsage(event);
  const is_call = (event.kind === 'llm' || event.kind === 'embedding') && event.counted !== false;
  if (!is_call) return { is_call, buckets, cost_nano: null, cost_status: null };
  if (event.cost_usd !== null) {
    return { is_call, buckets, cost_nano: Math.round(event.cost_usd * 1e9), cost_status: 'client' };
  }
  const { provider, model, ts } = event;
  const priced = model === null ? null : pricer.priceCall({ provider, model, ts, buckets });
  if (priced?.status !== 'priced') return { is_call, buckets, cost_nano: null, cost_status: 'unpriced' };
  return { is_call, buckets, cost_nano: priced.cost_nano, cost_status: 'priced' };
}
