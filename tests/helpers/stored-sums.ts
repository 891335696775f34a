import { EVENT_KINDS, EVENT_STATUSES } from '../../src/core/events/contract.ts';
import { FAILED_STATUSES } from '../../src/core/events/selection.ts';
import { decodeColumns } from '../../src/core/events/stores/sqlite/sums/narrow-columns.ts';
import { decodeUserPage, PAGE_USERS } from '../../src/core/events/stores/sqlite/users/user-page.ts';
import type { SqlValue } from '../../src/db/connection.ts';
import { decodeSketch, sketchBin } from '../../src/lib/sketch.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { queryFile, readSnapshot, type StoredRow, storedEvents } from './stored-events.ts';

// The sums of sealed events, counted again by a plain loop that shares no code with the product's sums.

type Counts = Record<string, number>;
type Query = (sql: string) => SqlValue[][];
/** Sums by what they are the sums of. */
type Sums = Map<string, Counts>;

/**
 * The sums that differ from a recount of the sealed events. Empty if none do.
 * @param rows what `storedEvents` returns
 */
export function sumFaults(path: string, rows: readonly StoredRow[] = storedEvents(path)): string[] {
  const stored = readSnapshot(path, storedSums);
  const edges = new Map(
    queryFile(path, 'SELECT id, coalesce(edge, id) FROM event_links') as [number, number][],
  );
  const counted = recountSums(
    rows.filter(({ segment }) => segment !== null),
    edges,
  );
  const textOf = (sums: Sums, key: string): string => {
    const counts = Object.entries(sums.get(key) ?? {}).filter(([, count]) => count !== 0);
    return JSON.stringify(Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1))));
  };
  return [...new Set([...stored.keys(), ...counted.keys()])]
    .filter((key) => textOf(stored, key) !== textOf(counted, key))
    .map((key) => `${key}: stored ${textOf(stored, key)}, counted ${textOf(counted, key)}`);
}

const DIMENSIONS = ['kind', 'is_call', 'status', 'provider', 'model', 'environment', 'error_code'] as const;
const ROLLUPS = [
  {
    table: 'rollup_hours',
    labels: 'rollup_label_hours',
    links: 'rollup_link_hours',
    edges: 'rollup_edge_hours',
    column: 'hour',
    ms: HOUR_MS,
  },
  {
    table: 'rollup_days',
    labels: 'rollup_labels',
    links: 'rollup_links',
    edges: 'rollup_edges',
    column: 'day',
    ms: DAY_MS,
  },
] as const;
/** The columns of `user_days`, in their order. */
const USER_SUMS = [
  'events',
  'requests',
  'errors',
  'unpriced',
  'cost_nano',
  'input_tokens',
  'output_tokens',
  'first',
  'last',
  'cache_read_tokens',
] as const;
const LABEL_SUMS = [
  'requests',
  'errors',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
] as const;

const LINK_SUMS = [
  'requests',
  'errors',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'output_tokens',
  'latency_us',
  'latency_count',
] as const;

function add(sums: Sums, key: readonly unknown[], added: Counts): void {
  const id = JSON.stringify(key);
  const own = sums.get(id) ?? {};
  sums.set(id, own);
  for (const [name, value] of Object.entries(added)) own[name] = (own[name] ?? 0) + value;
}

function recountSums(rows: readonly StoredRow[], edgeOf: ReadonlyMap<number, number>): Sums {
  const sums: Sums = new Map();
  for (const row of rows) {
    const { project, ts, event, label, link } = row;
    const isModel = event.kind === 'llm' || event.kind === 'embedding';
    const counts = countsOf(row);
    for (const { table, ms, labels, links, edges } of ROLLUPS) {
      const dimensions = [
        EVENT_KINDS.indexOf(event.kind),
        Number(row.isCall),
        EVENT_STATUSES.indexOf(event.status),
        event.provider ?? '',
        event.model ?? '',
        event.environment,
        event.error_code ?? '',
      ];
      const { errors: _, input_tokens: __, ...ofRollup } = counts;
      const bin: Counts =
        event.latency_ms === null ? {} : { [`bin ${sketchBin(counts.latency_us ?? 0)}`]: 1 };
      add(sums, [table, project, Math.floor(ts / ms), ...dimensions], { ...ofRollup, ...bin });
      if (link !== 0 && (row.isCall || !isModel)) {
        const ofLink = pick(counts, LINK_SUMS);
        add(sums, [links, project, Math.floor(ts / ms), link], ofLink);
        add(sums, [edges, project, Math.floor(ts / ms), edgeOf.get(link)], { ...ofLink, ...bin });
      }
      if (row.isCall) add(sums, [labels, project, Math.floor(ts / ms), label], pick(counts, LABEL_SUMS));
    }
  }
  for (const days of [1, 8]) {
    const own = Map.groupBy(rows, ({ project, ts, event }) =>
      JSON.stringify(['user_days', project, days, Math.floor(ts / DAY_MS / days) * days, event.user_id]),
    );
    for (const [id, events] of own)
      if (events[0]?.event.user_id !== null) sums.set(id, userCounts(events, days));
  }
  return sums;
}

function userCounts(rows: readonly StoredRow[], days: number): Counts {
  const times = rows.map(({ ts }) => ts % (days * DAY_MS)).sort((a, b) => a - b);
  const counts: Counts = { events: rows.length, first: times[0] ?? 0, last: times.at(-1) ?? 0 };
  for (const row of rows.filter(({ isCall }) => isCall)) {
    const { errors, requests, unpriced, cost_nano, input_tokens, output_tokens, cache_read_tokens } =
      countsOf(row);
    const own = { errors, requests, unpriced, cost_nano, input_tokens, output_tokens, cache_read_tokens };
    for (const [name, value] of Object.entries(own)) counts[name] = (counts[name] ?? 0) + (value ?? 0);
  }
  return counts;
}

/** What one event adds to the sums. */
function countsOf({ event, buckets, costNano, costStatus }: StoredRow): Counts {
  const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = buckets;
  const written = cacheWrite5m + cacheWrite1h;
  const [input, outputs] = [fresh + cacheRead + written, output + reasoning];
  const unpriced = Number(costStatus === 'unpriced');
  const micros = (ms: number): number => Math.floor(ms * 1000 + 0.5);
  const latency = event.latency_ms === null ? null : micros(event.latency_ms);
  const ttft = event.stream && event.ttft_ms !== null ? micros(event.ttft_ms) : null;
  const generates = latency !== null && outputs > 0;
  return {
    requests: 1,
    errors: Number(FAILED_STATUSES.some((status) => status === event.status)),
    cost_nano: costNano ?? 0,
    unpriced,
    unpriced_input_tokens: unpriced * input,
    unpriced_output_tokens: unpriced * outputs,
    input_tokens: input,
    fresh_tokens: fresh,
    cache_read_tokens: cacheRead,
    cache_write_tokens: written,
    output_tokens: outputs,
    reasoning_tokens: reasoning,
    latency_us: latency ?? 0,
    latency_count: Number(latency !== null),
    ttft_us: ttft ?? 0,
    ttft_count: Number(ttft !== null),
    generation_us: generates ? Math.max(0, latency - (ttft ?? 0)) : 0,
    generation_tokens: generates ? outputs : 0,
  };
}

const pick = (counts: Counts, names: readonly string[]): Counts =>
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));

const bytesOf = (value: SqlValue | undefined): Uint8Array => Uint8Array.fromHex(String(value));

/** The sums in the file. */
function storedSums(query: Query): Sums {
  const sums: Sums = new Map();
  for (const { table, labels, links, edges, column } of ROLLUPS) {
    for (const row of query(`SELECT project, ${column}, link, ${LINK_SUMS.join(', ')} FROM ${links}`))
      add(sums, [links, ...row.slice(0, 3)], toCounts(LINK_SUMS, row.slice(3)));
    addSketched(sums, query, edges, ['project', column, 'edge']);
    addSketched(sums, query, table, ['project', column, ...DIMENSIONS]);
    for (const row of query(`SELECT project, ${column}, label, ${LABEL_SUMS.join(', ')} FROM ${labels}`))
      add(sums, [labels, ...row.slice(0, 3)], toCounts(LABEL_SUMS, row.slice(3)));
  }
  addPacks(sums, query);
  addUserDays(sums, query);
  return sums;
}

/** Sums of a table with a sketch of latencies. */
function addSketched(sums: Sums, query: Query, table: string, key: readonly string[]): void {
  const names = columnsOf(query, table).filter((name) => ![...key, 'latency_sketch'].includes(name));
  const columns = [...key, 'hex(latency_sketch)', ...names];
  for (const row of query(`SELECT ${columns.join(', ')} FROM ${table}`)) {
    const id = [table, ...row.slice(0, key.length)];
    const [sketch, ...values] = row.slice(key.length);
    add(sums, id, toCounts(names, values));
    for (const [bin, count] of decodeSketch(bytesOf(sketch)).entries())
      if (count !== 0) add(sums, id, { [`bin ${bin}`]: count });
  }
}

function addPacks(sums: Sums, query: Query): void {
  for (const [project, hours, time, hex] of query(
    'SELECT project, hours, time, hex(sums) FROM label_packs',
  )) {
    const table = hours === 1 ? ROLLUPS[0].labels : ROLLUPS[1].labels;
    const [labels = [], ...columns] = decodeColumns(bytesOf(hex).buffer as ArrayBuffer);
    for (const [i, label] of labels.entries())
      add(
        sums,
        [table, project, time, label],
        toCounts(
          LABEL_SUMS,
          columns.map((values) => values[i] ?? 0),
        ),
      );
  }
}

function addUserDays(sums: Sums, query: Query): void {
  const users = new Map(
    query('SELECT project, no, user_id FROM event_users').map(([project, no, id]) => [
      `${project} ${no}`,
      id,
    ]),
  );
  const pages = query('SELECT project, page, span, day, hex(sums) FROM user_days');
  for (const [project, page, span, day, hex] of pages) {
    const { slots, columns } = decodeUserPage(bytesOf(hex).buffer as ArrayBuffer);
    for (const [i, slot] of slots.entries()) {
      const user = users.get(`${project} ${Number(page) * PAGE_USERS + slot}`) ?? null;
      add(
        sums,
        ['user_days', project, span, day, user],
        toCounts(
          USER_SUMS,
          columns.map((values) => values[i] ?? 0),
        ),
      );
    }
  }
}

const columnsOf = (query: Query, table: string): string[] =>
  query(`SELECT name FROM pragma_table_info('${table}')`).map(([name]) => String(name));

const toCounts = (names: readonly string[], values: readonly SqlValue[]): Counts =>
  Object.fromEntries(names.map((name, i) => [name, Number(values[i] ?? 0)]));
