import type { SqlValue } from '../../../../../db/connection.ts';
import {
  amountNano,
  linesOf,
  type PriceLine,
  type Rate,
  sumOf,
  type UsageBuckets,
  usageExtras,
} from '../../../../pricing/index.ts';
import { type CostStatus, EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import { isAnswered } from '../../../is-answered.ts';
import type { LedgerAccount } from '../../../ledger.ts';
import type { Ready } from '../../shared/ledger/accounts.ts';
import type { Chunk } from '../scan/chunk.ts';
import { costStatusOf } from '../scan/match.ts';
import { bucketsAt } from '../scan/to-event.ts';

/** The token buckets with the columns that contain them. */
export const TOKEN_BUCKETS = [
  ['fresh', 'fresh_tokens'],
  ['cacheRead', 'cache_read_tokens'],
  ['cacheWrite5m', 'cache_write_tokens'],
  ['cacheWrite1h', 'cache_write_1h_tokens'],
  ['output', 'output_tokens'],
  ['reasoning', 'reasoning_tokens'],
] as const satisfies readonly (readonly [keyof UsageBuckets, string])[];

const ANSWERED = EVENT_STATUSES.map(isAnswered);

type Kind = LedgerAccount['kind'];

/** Calls of a model with the same cost status and price. */
export type CallGroup = {
  readonly name: { readonly provider: string | null; readonly model: string | null };
  readonly costStatus: CostStatus | null;
  readonly price: Ready | null;
  /** By bucket. */
  readonly rates: readonly (Rate | undefined)[];
  /** Fee per request in nano-dollars. */
  readonly fee: number;
  /** Where calls that the price explains are counted. */
  readonly explained: { readonly kind: Kind; readonly price: Ready | null };
  /** Where calls without a price are counted, and those whose cost the price does not explain. */
  readonly others: { readonly kind: Kind; readonly price: null };
};

export function callGroup(
  [provider, model, status, priceId]: readonly SqlValue[],
  prices: ReadonlyMap<number, Ready>,
): CallGroup {
  const price = prices.get(Number(priceId ?? -1)) ?? null;
  const request = price?.rates.request;
  const costStatus = costStatusOf(Number(status));
  const kind = costStatus ?? 'unexplained';
  return {
    name: { provider: textOf(provider), model: textOf(model) },
    costStatus,
    price,
    rates: TOKEN_BUCKETS.map(([bucket]) => price?.rates[bucket]),
    fee: request === undefined ? 0 : amountNano(request, 1),
    explained: { kind, price },
    others: { kind: isPriced(costStatus) ? 'unexplained' : kind, price: null },
  };
}

export const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

/** A call as its price explains it, in nano-dollars. `own` and `amounts` are by bucket. */
export type ExplainedCall = {
  isExplained: boolean;
  /** All its tokens. */
  all: number;
  /** Its cost; 0 if it is not known. */
  nano: number;
  /** Whether it pays the fee per request. */
  paysFee: boolean;
  readonly own: Float64Array;
  readonly amounts: Float64Array;
};

/**
 * Explains the calls of a chunk by their token buckets and the fee per request. The answer is the same object for each
 * call; null: the call may have searches or audio, and is left to `linesAt`.
 */
export function callExplainer(chunk: Chunk): (group: CallGroup, place: number) => ExplainedCall | null {
  const columns = TOKEN_BUCKETS.map(([, column]) => chunk.numbers(column));
  const costs = chunk.numbers('cost_nano');
  const statuses = chunk.bytes('status');
  const own = new Float64Array(TOKEN_BUCKETS.length);
  const amounts = new Float64Array(TOKEN_BUCKETS.length);
  const call: ExplainedCall = { isExplained: false, all: 0, nano: 0, paysFee: false, own, amounts };

  return ({ price, costStatus, rates, fee }, place) => {
    const cost = costs[place] as number;
    let all = 0;
    let sum = 0;
    for (let i = 0; i < own.length; i++) {
      const tokens = (columns[i] as Float64Array)[place] as number;
      const rate = rates[i];
      const amount = tokens > 0 && rate !== undefined ? amountNano(rate, tokens) : 0;
      own[i] = tokens;
      amounts[i] = amount;
      all += tokens;
      sum += amount;
    }
    const paysFee = fee > 0 && (all > 0 || ANSWERED[statuses[place] as number] === true);
    if (paysFee) sum += fee;
    const isExplained = price !== null && costStatus !== 'client' && sum === cost;
    if (!isExplained && price !== null && isPriced(costStatus)) return null;
    call.isExplained = isExplained;
    call.all = all;
    call.nano = Number.isNaN(cost) ? 0 : cost;
    call.paysFee = paysFee;
    return call;
  };
}

/** Whether the cost was computed from a price. */
const isPriced = (costStatus: CostStatus | null): boolean =>
  costStatus === 'priced' || costStatus === 'estimated';

/** A call with a price, explained by the lines of its usage: all its tokens and its cost in nano-dollars. */
export function linesAt(
  chunk: Chunk,
  place: number,
  price: Ready,
): {
  readonly lines: readonly PriceLine[];
  readonly isExplained: boolean;
  readonly all: number;
  readonly nano: number;
} {
  const buckets = bucketsAt(chunk, place);
  const status = EVENT_STATUSES[chunk.bytes('status')[place] as number];
  const cost = chunk.numbers('cost_nano')[place] as number;
  const lines = linesOfCall(price, buckets, chunk.detail(place), status);
  return {
    lines,
    isExplained: sumOf(lines) === cost,
    all: TOKEN_BUCKETS.reduce((sum, [bucket]) => sum + buckets[bucket], 0),
    nano: Number.isNaN(cost) ? 0 : cost,
  };
}

function linesOfCall(
  price: Ready,
  buckets: UsageBuckets,
  detail: string | null,
  status: EventStatus = 'error',
): PriceLine[] {
  const { usage = null, metadata = null } = detail === null ? {} : JSON.parse(detail);
  const how = { extras: usageExtras(usage, metadata), answered: isAnswered(status) };
  return linesOf(price, buckets, how) ?? [];
}
