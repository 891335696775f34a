import { DAY_MS, formatInstant } from '../../../../../lib/time.ts';
import { type AppliedPrice, type readPricer, usageExtras } from '../../../../pricing/index.ts';
import type { CallSelection, CostDifference } from '../../../change.ts';
import { COST_STATUSES, EVENT_STATUSES } from '../../../contract.ts';
import { isAnswered } from '../../../is-answered.ts';
import { costStatusByte, FLAG } from '../columns.ts';
import type { Fields } from '../packs/fields.ts';
import type { Chunk } from '../scan/chunk.ts';
import { isCallKind, matchesOf } from '../scan/match.ts';

type Pricer = ReturnType<typeof readPricer>;

/** A call whose cost would change: its place, new cost and price. `status` is an index of `COST_STATUSES`. */
export type Repriced = {
  readonly place: number;
  readonly cost: number | null;
  readonly status: number;
  readonly price: AppliedPrice | null;
};

/**
 * The places of the selected calls of a chunk: 1 or 0 per place; null without any. Spans represented by another span
 * are included: they keep a cost in case they count later.
 */
export function selectedCalls(chunk: Chunk, calls: CallSelection): Uint8Array | null {
  const { provider, model, environment, from, to } = calls;
  const mask = matchesOf(chunk, { filters: { provider, model, environment }, calls: false }, { from, to });
  if (mask === null) return null;
  const kinds = chunk.bytes('kind');
  const statuses = chunk.bytes('cost_status');
  let found = false;
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const status = statuses[place];
    const isMeant = calls.unpricedOnly ? status === UNPRICED : calls.clientCosts || status !== CLIENT;
    if (isMeant && isCallKind(kinds[place] as number)) found = true;
    else mask[place] = 0;
  }
  return found ? mask : null;
}

const UNPRICED = costStatusByte('unpriced');
const CLIENT = costStatusByte('client');

/**
 * Prices calls of a chunk.
 * @returns prices the call at a place; null if nothing changes
 */
export function repricerOf(chunk: Chunk, pricer: Pricer): (place: number) => Repriced | null {
  const providerAt = textsOf(chunk, 'provider');
  const modelAt = textsOf(chunk, 'model');
  const ts = chunk.numbers('ts');
  const [fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning] = BUCKETS.map((column) =>
    chunk.numbers(column),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const statuses = chunk.bytes('status');
  const costs = chunk.numbers('cost_nano');
  const costStatuses = chunk.bytes('cost_status');
  return (place) => {
    const priced = pricer.priceCall({
      provider: providerAt(place),
      model: modelAt(place),
      ts: ts[place] as number,
      buckets: {
        fresh: fresh[place] as number,
        cacheRead: cacheRead[place] as number,
        cacheWrite5m: cacheWrite5m[place] as number,
        cacheWrite1h: cacheWrite1h[place] as number,
        output: output[place] as number,
        reasoning: reasoning[place] as number,
      },
      extras: extrasOf(chunk.detailBytes(place)),
      answered: isAnswered(EVENT_STATUSES[statuses[place] as number] ?? 'error'),
    });
    const isUnpriced = priced.status === 'unpriced';
    const cost = isUnpriced ? null : priced.cost_nano;
    const isSame =
      Object.is(cost ?? Number.NaN, costs[place]) && costStatusByte(priced.status) === costStatuses[place];
    if (isSame) return null;
    const status = COST_STATUSES.indexOf(priced.status);
    return { place, cost, status, price: isUnpriced ? null : priced.price };
  };
}

const BUCKETS = [
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const;

function textsOf(chunk: Chunk, column: 'provider' | 'model'): (place: number) => string | null {
  const { codes, strings } = chunk.texts(column);
  return (place) => strings[(codes[place] as number) - 1] ?? null;
}

/** Details without these do not affect the price, and parsing all of them would take most of the time. */
const AFFECTS_PRICE = ['"usage":', 'service_tier'].map((name) => Buffer.from(name));

function extrasOf(bytes: Uint8Array): ReturnType<typeof usageExtras> | null {
  const detail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!AFFECTS_PRICE.some((name) => detail.includes(name))) return null;
  const { usage, metadata } = JSON.parse(detail.toString()) as Fields;
  return usageExtras(toObject(usage), toObject(metadata));
}

const toObject = (value: unknown): Record<string, unknown> | null =>
  (value as Record<string, unknown> | undefined) ?? null;

type Difference = { -readonly [K in keyof CostDifference]: CostDifference[K] };

/** Collects differences per day and model. Only counted calls are in a total. */
export function createDifferences(): {
  add(chunk: Chunk, changes: readonly Repriced[]): void;
  list(): CostDifference[];
} {
  const differences = new Map<string, Difference>();
  return {
    add(chunk, changes) {
      const flags = chunk.bytes('flags');
      const ts = chunk.numbers('ts');
      const costs = chunk.numbers('cost_nano');
      const statuses = chunk.bytes('cost_status');
      const providerAt = textsOf(chunk, 'provider');
      const modelAt = textsOf(chunk, 'model');
      for (const { place, cost, status } of changes) {
        if (((flags[place] as number) & FLAG.call) === 0) continue;
        const day = Math.floor((ts[place] as number) / DAY_MS);
        const [provider, model] = [providerAt(place), modelAt(place)];
        const id = JSON.stringify([day, provider, model]);
        const known = differences.get(id) ?? { ...NONE, day: dateOf(day), provider, model };
        differences.set(id, known);
        const before = costs[place] as number;
        known.events++;
        known.unpricedBefore += Number(statuses[place] === UNPRICED);
        known.unpricedAfter += Number(COST_STATUSES[status] === 'unpriced');
        known.before += Number.isNaN(before) ? 0 : before;
        known.after += cost ?? 0;
      }
    },
    list: () => [...differences.values()],
  };
}

const NONE = { events: 0, unpricedBefore: 0, unpricedAfter: 0, before: 0, after: 0 };
const dateOf = (day: number): string => formatInstant(day * DAY_MS).slice(0, 10);
