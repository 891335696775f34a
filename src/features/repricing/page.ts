import { COST_STATUSES, EVENT_STATUSES } from '../../core/events/contract.ts';
import { isAnswered } from '../../core/events/index.ts';
import { type AppliedPrice, pricesVersion, readPricer, usageExtras } from '../../core/pricing/index.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { conflict } from '../../errors.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../lib/time.ts';
import type { RepricingGroup, RepricingRequest } from './contract.ts';

/** The last event that was looked at: its time and the hex digits of its id. */
export type Cursor = readonly [ts: number, id: string];

/** What an event costs and will cost: `price` is a place in the page's prices, `oldPrice` the stored number. */
export type Change = readonly [
  ts: number,
  id: string,
  oldCost: number | null,
  oldStatus: number | null,
  oldPrice: number | null,
  cost: number | null,
  status: number,
  price: number | null,
];

/** A stretch of events priced anew. */
export type Page = {
  readonly version: string;
  readonly looked: number;
  readonly changes: readonly Change[];
  /** The prices that `changes` refer to, as JSON text. */
  readonly prices: readonly string[];
  readonly groups: readonly RepricingGroup[];
  /** Where the next page begins; null at the end. */
  readonly next: Cursor | null;
};

export type PageInput = {
  readonly request: RepricingRequest;
  readonly after: Cursor | null;
  /** Most changes of the page. */
  readonly limit: number;
  /** Which prices it has to be; null for the first look. */
  readonly version: string | null;
};

/** A page ends after so many rows or milliseconds, so that other reads get their turn. */
const ROWS_AT_ONCE = 500;
const PAGE_MS = 60;

/**
 * Prices a stretch of stored calls by the prices in force and tells which of them would cost something else.
 * Throws 409 when these are not the prices of `version`.
 */
export const pageRead: ReadOp<PageInput, Page> = {
  name: 'repricing.page',
  run(reader, input) {
    const pricer = readPricer(reader);
    const version = pricesVersion(reader);
    if (input.version !== null && input.version !== version)
      throw conflict('Prices have changed since the dry run; start another one');
    const since = performance.now();
    const page = createPage();
    let after = input.after;
    let done = false;
    while (!done && page.changes.length < input.limit && performance.now() - since < PAGE_MS) {
      const rows = readRows(reader, input.request, after);
      for (const row of rows) {
        if (page.changes.length >= input.limit) break;
        after = [Number(row[0]), hexOf(row[1] ?? null)];
        page.looked++;
        lookAt(page, row, pricer);
      }
      done = rows.length === 0;
    }
    const groups = [...page.groups.values()];
    const { looked, changes } = page;
    return { version, looked, changes, prices: [...page.prices.keys()], groups, next: done ? null : after };
  },
};

type Draft = {
  looked: number;
  changes: Change[];
  prices: Map<string, number>;
  texts: Map<AppliedPrice, number>;
  groups: Map<string, RepricingGroup>;
};
const createPage = (): Draft => ({
  looked: 0,
  changes: [],
  prices: new Map(),
  texts: new Map(),
  groups: new Map(),
});

const COLUMNS = `ts, event_id, provider, model, status, fresh_tokens, cache_read_tokens, cache_write_tokens,
  cache_write_1h_tokens, output_tokens, reasoning_tokens, cost_nano, cost_status, price, is_call,
  iif(detail LIKE '%service_tier%' OR detail LIKE '%audio_tokens%' OR detail LIKE '%web_search%', detail, NULL)`;
const UNPRICED = COST_STATUSES.indexOf('unpriced');
const CLIENT = COST_STATUSES.indexOf('client');

/**
 * The next calls in the order of the key, from the first hour on in which the roll-ups know of a match.
 * Spans that another one stands for are priced too: they keep a cost for the case that they count later.
 */
function readRows(reader: Reader, request: RepricingRequest, after: Cursor | null): SqlValue[][] {
  const [project] = reader.projects;
  const where = conditionsOf(request);
  let from = after === null ? Date.parse(request.start) : after[0];
  const end = Date.parse(request.end);
  for (;;) {
    const hour = nextHour(reader, request, { from, end });
    if (hour === null) return [];
    from = Math.max(from, hour * HOUR_MS);
    const to = Math.min(end, (hour + 1) * HOUR_MS);
    const past = after !== null && after[0] >= from ? ' AND (ts, event_id) > (?, ?)' : '';
    const rows = reader.rows(
      `SELECT ${COLUMNS} FROM events WHERE project = ? AND ts >= ? AND ts < ? AND kind IN (0, 1)
         ${where.rows}${past} ORDER BY ts, event_id LIMIT ${ROWS_AT_ONCE}`,
      [
        project ?? 0,
        from,
        to,
        ...where.args,
        ...(past === '' || after === null ? [] : [after[0], Uint8Array.fromHex(after[1])]),
      ],
    );
    if (rows.length > 0) return rows;
    from = to;
  }
}

function nextHour(
  reader: Reader,
  request: RepricingRequest,
  { from, end }: { from: number; end: number },
): number | null {
  if (from >= end) return null;
  const where = conditionsOf(request);
  const [row] = reader.rows(
    `SELECT hour FROM rollup_hours WHERE project = ? AND hour >= ? AND hour < ? AND kind IN (0, 1)${where.rollup}
     ORDER BY hour LIMIT 1`,
    [reader.projects[0] ?? 0, Math.floor(from / HOUR_MS), Math.ceil(end / HOUR_MS), ...where.args],
  );
  return row === undefined ? null : Number(row[0]);
}

/** The request's filters for rows and for roll-ups, with the same arguments. */
function conditionsOf(request: RepricingRequest): { rows: string; rollup: string; args: string[] } {
  const given = (['provider', 'model', 'environment'] as const).filter((name) => request[name] !== undefined);
  const named = given.map((name) => ` AND ${name} = ?`).join('');
  const status = request.unpricedOnly
    ? ` AND cost_status = ${UNPRICED}`
    : request.clientCosts
      ? ''
      : ` AND cost_status <> ${CLIENT}`;
  return {
    rows: `${named}${status}`,
    rollup: `${named}${request.unpricedOnly ? ' AND unpriced > 0' : ''}`,
    args: given.map((name) => request[name] ?? ''),
  };
}

function lookAt(page: Draft, row: readonly SqlValue[], pricer: ReturnType<typeof readPricer>): void {
  const number = (place: number): number => Number(row[place] ?? 0);
  const text = (place: number): string | null => (row[place] as string | null) ?? null;
  const nullable = (place: number): number | null => (row[place] === null ? null : number(place));
  const detail = text(15) === null ? null : JSON.parse(text(15) ?? '{}');
  const price = pricer.priceCall({
    provider: text(2),
    model: text(3),
    ts: number(0),
    buckets: {
      fresh: number(5),
      cacheRead: number(6),
      cacheWrite5m: number(7),
      cacheWrite1h: number(8),
      output: number(9),
      reasoning: number(10),
    },
    extras: detail === null ? null : usageExtras(detail.usage ?? null, detail.metadata ?? null),
    answered: isAnswered(EVENT_STATUSES[number(4)] ?? 'error'),
  });
  const status = COST_STATUSES.indexOf(price.status);
  const cost = price.status === 'unpriced' ? null : price.cost_nano;
  const [oldCost, oldStatus] = [nullable(11), nullable(12)];
  if (cost === oldCost && status === oldStatus) return;
  const place = price.status === 'unpriced' ? null : placeOf(page, price.price);
  page.changes.push([
    number(0),
    hexOf(row[1] ?? null),
    oldCost,
    oldStatus,
    nullable(13),
    cost,
    status,
    place,
  ]);
  // What is in no total changes no total: it is told with the events, not with the money.
  if (number(14) === 1) addToGroup(page, row, { oldCost, oldStatus, cost, status });
}

function placeOf(page: Draft, price: AppliedPrice): number {
  const known = page.texts.get(price);
  if (known !== undefined) return known;
  const json = JSON.stringify(price);
  const place = page.prices.get(json) ?? page.prices.size;
  page.prices.set(json, place);
  page.texts.set(price, place);
  return place;
}

function addToGroup(
  page: Draft,
  row: readonly SqlValue[],
  of: { oldCost: number | null; oldStatus: number | null; cost: number | null; status: number },
): void {
  const day = formatInstant(Math.floor(Number(row[0]) / DAY_MS) * DAY_MS).slice(0, 10);
  const [provider, model] = [row[2], row[3]].map((value) => (value as string | null) ?? null);
  const id = JSON.stringify([day, provider, model]);
  const group = page.groups.get(id) ?? {
    ...{ day, provider: provider ?? null, model: model ?? null },
    ...{ events: 0, unpricedBefore: 0, unpricedAfter: 0, before: 0, after: 0 },
  };
  page.groups.set(id, {
    ...group,
    events: group.events + 1,
    unpricedBefore: group.unpricedBefore + Number(of.oldStatus === UNPRICED),
    unpricedAfter: group.unpricedAfter + Number(of.status === UNPRICED),
    // Nano-dollars until the whole is told: they add up exactly.
    before: group.before + (of.oldCost ?? 0),
    after: group.after + (of.cost ?? 0),
  });
}

const hexOf = (value: SqlValue): string => new Uint8Array(value as ArrayBuffer).toHex();
