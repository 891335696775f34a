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
import type { Chunk } from '../scan/chunk.ts';
import { codesOf, codesOfNumber, codesOfTags, constantCodes, keyAt } from '../scan/codes.ts';
import { costStatusOf } from '../scan/match.ts';
import { bucketsAt } from '../scan/to-event.ts';
import { groupEvents } from '../sums/group-events.ts';
import { type Account, type Accounts, accountOf, addToBucket, type Ready } from './accounts.ts';

/** The token buckets with the columns that contain them. */
export const TOKEN_BUCKETS = [
  ['fresh', 'fresh_tokens'],
  ['cacheRead', 'cache_read_tokens'],
  ['cacheWrite5m', 'cache_write_tokens'],
  ['cacheWrite1h', 'cache_write_1h_tokens'],
  ['output', 'output_tokens'],
  ['reasoning', 'reasoning_tokens'],
] as const satisfies readonly (readonly [keyof UsageBuckets, string])[];

/** Sums of calls whose cost is the sum of their buckets at their price, or which have no price. */
type Plain = {
  calls: number;
  nano: number;
  fees: number;
  readonly tokens: Float64Array;
  readonly amounts: Float64Array;
};

const noCalls = (): Plain => ({
  calls: 0,
  nano: 0,
  fees: 0,
  tokens: new Float64Array(TOKEN_BUCKETS.length),
  amounts: new Float64Array(TOKEN_BUCKETS.length),
});

/** Calls of a model with the same cost status and price. */
type Group = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly costStatus: CostStatus | null;
  readonly price: Ready | null;
  readonly tags: string | null;
  /** By bucket. */
  readonly rates: readonly (Rate | undefined)[];
  /** Fee per request in nano-dollars. */
  readonly fee: number;
  /** Calls that the price explains. */
  readonly explained: Plain;
  /** Calls without a price, or with a cost that the sender stated. */
  readonly others: Plain;
};

export const ANSWERED = EVENT_STATUSES.map(isAnswered);

type Prices = ReadonlyMap<number, Ready>;

/**
 * Adds the selected calls of a chunk to the accounts. Calls that have searches or audio are explained one by one.
 * @param mask 1 for each selected call
 */
export function addCalls(
  accounts: Accounts,
  chunk: Chunk,
  mask: Uint8Array,
  of: { readonly prices: Prices; readonly byTags: boolean },
): void {
  const costStatuses = { codes: chunk.bytes('cost_status'), valueAt: (code: number) => code };
  const keys = [
    codesOf(chunk, 'provider'),
    codesOf(chunk, 'model'),
    costStatuses,
    codesOfNumber(chunk, 'price'),
    of.byTags ? codesOfTags(chunk) : constantCodes(chunk, 0),
  ];
  const columns = keys.map(({ codes }) => codes);
  const { of: groupOf, firsts } = groupEvents(chunk.events, columns, mask);
  const groups = firsts.map((place) => toGroup(keyAt(keys, place), of.prices));
  const add = plainAdder(chunk);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const group = groups[groupOf[place] as number] as Group;
    if (!add(group, place)) addExplained(accounts, chunk, place, group);
  }
  for (const group of groups) {
    const { explained, others, price, costStatus } = group;
    addPlain(accounts, group, explained, { kind: costStatus ?? 'unexplained', price });
    const kind = isPriced(costStatus) ? 'unexplained' : (costStatus ?? 'unexplained');
    addPlain(accounts, group, others, { kind, price: null });
  }
}

function toGroup([provider, model, costStatus, price, tags]: readonly SqlValue[], prices: Prices): Group {
  const ready = prices.get(Number(price ?? -1)) ?? null;
  const request = ready?.rates.request;
  return {
    provider: textOf(provider),
    model: textOf(model),
    costStatus: costStatusOf(Number(costStatus)),
    price: ready,
    tags: typeof tags === 'string' ? tags : null,
    rates: TOKEN_BUCKETS.map(([bucket]) => ready?.rates[bucket]),
    fee: request === undefined ? 0 : amountNano(request, 1),
    explained: noCalls(),
    others: noCalls(),
  };
}

export const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

/** Adds a call to the sums of its group. Returns false if it must be explained by itself. */
function plainAdder(chunk: Chunk): (group: Group, place: number) => boolean {
  const columns = TOKEN_BUCKETS.map(([, column]) => chunk.numbers(column));
  const costs = chunk.numbers('cost_nano');
  const statuses = chunk.bytes('status');
  const amounts = new Float64Array(TOKEN_BUCKETS.length);

  return ({ price, costStatus, rates, fee, explained, others }, place) => {
    const cost = costs[place] as number;
    let tokens = 0;
    let sum = 0;
    for (let i = 0; i < TOKEN_BUCKETS.length; i++) {
      const own = (columns[i] as Float64Array)[place] as number;
      const rate = rates[i];
      tokens += own;
      amounts[i] = own > 0 && rate !== undefined ? amountNano(rate, own) : 0;
      sum += amounts[i] as number;
    }
    const pays = fee > 0 && (tokens > 0 || ANSWERED[statuses[place] as number] === true);
    if (pays) sum += fee;
    const isPlain = price !== null && costStatus !== 'client' && sum === cost;
    if (!isPlain && price !== null && isPriced(costStatus)) return false;
    const sums = isPlain ? explained : others;
    sums.calls++;
    sums.nano += Number.isNaN(cost) ? 0 : cost;
    if (pays) sums.fees++;
    for (let i = 0; i < TOKEN_BUCKETS.length; i++) {
      sums.tokens[i] = (sums.tokens[i] as number) + ((columns[i] as Float64Array)[place] as number);
      sums.amounts[i] = (sums.amounts[i] as number) + (amounts[i] as number);
    }
    return true;
  };
}

function addPlain(
  accounts: Accounts,
  { provider, model, tags, fee }: Group,
  { calls, nano, fees, tokens, amounts }: Plain,
  { kind, price }: Pick<Account, 'kind' | 'price'>,
): void {
  if (calls === 0) return;
  const account = accountOf(accounts, { provider, model, kind, tags, price });
  account.calls += calls;
  account.nano += nano;
  for (const [i, [bucket]] of TOKEN_BUCKETS.entries()) {
    account.tokens += tokens[i] ?? 0;
    if (price !== null) addToBucket(account, bucket, tokens[i] ?? 0, amounts[i] ?? 0);
  }
  if (price !== null) addToBucket(account, 'request', fees, fees * fee);
}

/** Whether the cost was computed from a price. */
export const isPriced = (costStatus: CostStatus | null): boolean =>
  costStatus === 'priced' || costStatus === 'estimated';

/** Adds a call whose lines are computed from its usage. */
function addExplained(accounts: Accounts, chunk: Chunk, place: number, group: Group): void {
  const { provider, model, tags, price, costStatus } = group;
  if (price === null) return;
  const buckets = bucketsAt(chunk, place);
  const status = EVENT_STATUSES[chunk.bytes('status')[place] as number];
  const cost = chunk.numbers('cost_nano')[place] as number;
  const lines = linesOfCall(price, buckets, chunk.detail(place), status);
  const isExplained = sumOf(lines) === cost;
  const account = accountOf(accounts, {
    provider,
    model,
    kind: isExplained ? (costStatus ?? 'priced') : 'unexplained',
    tags,
    price: isExplained ? price : null,
  });
  account.calls++;
  account.nano += Number.isNaN(cost) ? 0 : cost;
  account.tokens += TOKEN_BUCKETS.reduce((sum, [bucket]) => sum + buckets[bucket], 0);
  if (isExplained) for (const line of lines) addToBucket(account, line.bucket, line.tokens, line.amount_nano);
}

/** The lines of a call, computed from its usage. */
export function linesOfCall(
  price: Ready,
  buckets: UsageBuckets,
  detail: string | null,
  status: EventStatus = 'error',
): PriceLine[] {
  const { usage = null, metadata = null } = detail === null ? {} : JSON.parse(detail);
  const how = { extras: usageExtras(usage, metadata), answered: isAnswered(status) };
  return linesOf(price, buckets, how) ?? [];
}
