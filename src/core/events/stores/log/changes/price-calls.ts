import { DAY_MS, formatInstant } from '../../../../../lib/time.ts';
import { type AppliedPrice, type readPricer, usageExtras } from '../../../../pricing/index.ts';
import type { CallSelection, CostDifference } from '../../../change.ts';
import { COST_STATUSES, EVENT_STATUSES } from '../../../contract.ts';
import { isAnswered } from '../../../is-answered.ts';
import { costStatusByte, FLAG } from '../columns.ts';
import type { Fields } from '../packs/fields.ts';
import type { Chunk } from '../scan/chunk.ts';
import { isCallKind, matchesOf } from '../scan/match.ts';
import { bucketsAt, numberAt, textAt } from '../scan/to-event.ts';

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

/** Prices the call at a place; null if nothing changes. */
export function repriceAt(chunk: Chunk, place: number, pricer: Pricer): Repriced | null {
  const priced = pricer.priceCall({
    provider: textAt(chunk, 'provider', place),
    model: textAt(chunk, 'model', place),
    ts: chunk.numbers('ts')[place] as number,
    buckets: bucketsAt(chunk, place),
    extras: extrasOf(chunk.detail(place)),
    answered: isAnswered(EVENT_STATUSES[chunk.bytes('status')[place] as number] ?? 'error'),
  });
  const isUnpriced = priced.status === 'unpriced';
  const cost = isUnpriced ? null : priced.cost_nano;
  const isSame =
    cost === numberAt(chunk, 'cost_nano', place) &&
    costStatusByte(priced.status) === chunk.bytes('cost_status')[place];
  if (isSame) return null;
  const status = COST_STATUSES.indexOf(priced.status);
  return { place, cost, status, price: isUnpriced ? null : priced.price };
}

/** Most details do not affect the price, and parsing all of them would take most of the time. */
const AFFECTS_PRICE = /service_tier|audio_tokens|web_search/;

function extrasOf(detail: string | null): ReturnType<typeof usageExtras> | null {
  if (detail === null || !AFFECTS_PRICE.test(detail)) return null;
  const { usage, metadata } = JSON.parse(detail) as Fields;
  return usageExtras(toObject(usage), toObject(metadata));
}

const toObject = (value: unknown): Record<string, unknown> | null =>
  (value as Record<string, unknown> | undefined) ?? null;

/** Collects differences per day and model. Only counted calls are in a total. */
export function createDifferences(): {
  add(chunk: Chunk, change: Repriced): void;
  list(): CostDifference[];
} {
  const differences = new Map<string, CostDifference>();
  return {
    add(chunk, { place, cost, status }) {
      if (((chunk.bytes('flags')[place] as number) & FLAG.call) === 0) return;
      const ts = chunk.numbers('ts')[place] as number;
      const day = formatInstant(Math.floor(ts / DAY_MS) * DAY_MS).slice(0, 10);
      const provider = textAt(chunk, 'provider', place);
      const model = textAt(chunk, 'model', place);
      const id = JSON.stringify([day, provider, model]);
      const none = { events: 0, unpricedBefore: 0, unpricedAfter: 0, before: 0, after: 0 };
      const known = differences.get(id) ?? { day, provider, model, ...none };
      differences.set(id, {
        ...known,
        events: known.events + 1,
        unpricedBefore: known.unpricedBefore + Number(chunk.bytes('cost_status')[place] === UNPRICED),
        unpricedAfter: known.unpricedAfter + Number(COST_STATUSES[status] === 'unpriced'),
        before: known.before + (numberAt(chunk, 'cost_nano', place) ?? 0),
        after: known.after + (cost ?? 0),
      });
    },
    list: () => [...differences.values()],
  };
}
