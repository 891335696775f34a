import type { SqlValue } from '../../../../../db/connection.ts';
import type { ReadOp } from '../../../../../db/reader.ts';
import { conflict } from '../../../../../errors.ts';
import { DAY_MS, formatInstant } from '../../../../../lib/time.ts';
import { type AppliedPrice, pricesVersion, readPricer, usageExtras } from '../../../../pricing/index.ts';
import type { CallSelection, CostDifference } from '../../../change.ts';
import { EVENT_STATUSES } from '../../../contract.ts';
import { isAnswered } from '../../../is-answered.ts';
import { COST_STATUS } from '../rows/numbers.ts';
import { CALL_COLUMNS, type Position, readCalls } from './select-calls.ts';

/**
 * Old and new cost of a call. The id is in hex, the statuses are numbers; `oldPrice` is the row's price number,
 * `price` an index into the page's prices.
 */
export type CostChange = {
  readonly ts: number;
  readonly id: string;
  readonly old: readonly [cost: number | null, status: number | null, price: number | null];
  readonly cost: number | null;
  readonly status: number;
  readonly price: number | null;
};

/** A page of re-priced calls. */
export type PricedPage = {
  readonly version: string;
  readonly looked: number;
  readonly changes: readonly CostChange[];
  /** The prices that `changes` refer to, as JSON text. */
  readonly prices: readonly string[];
  readonly differences: readonly CostDifference[];
  /** Start of the next page; null at the end. */
  readonly next: Position | null;
};

export type PageInput = {
  readonly calls: CallSelection;
  readonly after: Position | null;
  /** Maximum number of changes per page. */
  readonly limit: number;
  /** Expected version of the prices; null for the current one. */
  readonly version: string | null;
};

/** Maximum duration of a page, so that other reads get their turn. */
const PAGE_MS = 60;

/**
 * Prices a page of stored calls with the current prices and returns those whose cost would change. Throws 409 if the
 * current prices do not have the expected version.
 */
export const pricePageRead: ReadOp<PageInput, PricedPage> = {
  name: 'events.price_page',
  run(reader, { calls, limit, ...input }) {
    const pricer = readPricer(reader);
    const version = pricesVersion(reader);
    if (input.version !== null && input.version !== version)
      throw conflict('Prices have changed since the dry run; start another one');
    const since = performance.now();
    const page = createPage();
    let { after } = input;
    let done = false;
    while (!done && page.changes.length < limit && performance.now() - since < PAGE_MS) {
      const rows = readCalls(reader, calls, after);
      for (const row of rows) {
        if (page.changes.length >= limit) break;
        const call = toCall(row);
        after = [call.ts, call.id];
        page.looked++;
        const change = changeOf(page, call, pricer);
        if (change !== null) addChange(page, call, change);
      }
      done = rows.length === 0;
    }
    return {
      version,
      looked: page.looked,
      changes: page.changes,
      prices: [...page.prices.keys()],
      differences: [...page.differences.values()],
      next: done ? null : after,
    };
  },
};

type Draft = {
  looked: number;
  readonly changes: CostChange[];
  readonly prices: Map<string, number>;
  readonly places: Map<AppliedPrice, number>;
  readonly differences: Map<string, CostDifference>;
};
const createPage = (): Draft => ({
  looked: 0,
  changes: [],
  prices: new Map(),
  places: new Map(),
  differences: new Map(),
});

const K = Object.fromEntries(CALL_COLUMNS.map((name, place) => [name, place])) as Record<
  (typeof CALL_COLUMNS)[number],
  number
>;

/** A row of `CALL_COLUMNS` with names. */
function toCall(row: readonly SqlValue[]) {
  const number = (place: number): number => Number(row[place] ?? 0);
  const nullable = (place: number): number | null => (row[place] === null ? null : number(place));
  const text = (place: number): string | null => (row[place] as string | null) ?? null;
  const detail = text(K.detail);
  return {
    ts: number(K.ts),
    id: new Uint8Array(row[K.event_id] as ArrayBuffer).toHex(),
    provider: text(K.provider),
    model: text(K.model),
    answered: isAnswered(EVENT_STATUSES[number(K.status)] ?? 'error'),
    buckets: {
      fresh: number(K.fresh_tokens),
      cacheRead: number(K.cache_read_tokens),
      cacheWrite5m: number(K.cache_write_tokens),
      cacheWrite1h: number(K.cache_write_1h_tokens),
      output: number(K.output_tokens),
      reasoning: number(K.reasoning_tokens),
    },
    extras: detail === null ? null : extrasOf(JSON.parse(detail)),
    old: [nullable(K.cost_nano), nullable(K.cost_status), nullable(K.price)] as const,
    counts: row[K.is_call] === 1,
  };
}
type Call = ReturnType<typeof toCall>;

type Detail = {
  readonly usage?: Record<string, unknown> | null;
  readonly metadata?: Record<string, unknown> | null;
};
const extrasOf = ({ usage = null, metadata = null }: Detail) => usageExtras(usage, metadata);

/** The change of a re-priced call; null if nothing changes. */
function changeOf(page: Draft, call: Call, pricer: ReturnType<typeof readPricer>): CostChange | null {
  const priced = pricer.priceCall(call);
  const status = COST_STATUS[priced.status];
  const cost = priced.status === 'unpriced' ? null : priced.cost_nano;
  const [oldCost, oldStatus] = call.old;
  if (cost === oldCost && status === oldStatus) return null;
  const price = priced.status === 'unpriced' ? null : placeOf(page, priced.price);
  return { ts: call.ts, id: call.id, old: call.old, cost, status, price };
}

function addChange(page: Draft, call: Call, change: CostChange): void {
  page.changes.push(change);
  if (call.counts) addDifference(page.differences, call, change);
}

function placeOf(page: Draft, price: AppliedPrice): number {
  const known = page.places.get(price);
  if (known !== undefined) return known;
  const json = JSON.stringify(price);
  const place = page.prices.get(json) ?? page.prices.size;
  page.prices.set(json, place);
  page.places.set(price, place);
  return place;
}

function addDifference(
  into: Map<string, CostDifference>,
  { ts, provider, model }: Call,
  { old: [oldCost, oldStatus], cost, status }: CostChange,
): void {
  const day = formatInstant(Math.floor(ts / DAY_MS) * DAY_MS).slice(0, 10);
  const id = JSON.stringify([day, provider, model]);
  const none = { events: 0, unpricedBefore: 0, unpricedAfter: 0, before: 0, after: 0 };
  const known = into.get(id) ?? { day, provider, model, ...none };
  into.set(id, {
    ...known,
    events: known.events + 1,
    unpricedBefore: known.unpricedBefore + Number(oldStatus === COST_STATUS.unpriced),
    unpricedAfter: known.unpricedAfter + Number(status === COST_STATUS.unpriced),
    before: known.before + (oldCost ?? 0),
    after: known.after + (cost ?? 0),
  });
}
