import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import {
  type AppliedPrice,
  linesOf,
  type PriceLine,
  readyPrice,
  sumOf,
  type UsageBuckets,
  usageExtras,
} from '../../../../pricing/index.ts';
import { COST_STATUSES, EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import { isAnswered } from '../../../is-answered.ts';
import type { Ledger, LedgerAccount, LedgerQuery } from '../../../ledger.ts';
import type { Window } from '../../../selection.ts';
import { queryMetrics } from '../queries/query-metrics.ts';
import { COST_STATUS } from '../rows/numbers.ts';
import { rowValue } from '../rows/sums.ts';

/** A price with its number in `event_prices`. */
type Ready = ReturnType<typeof readyPrice> & { readonly id: number };
type Billed = PriceLine['bucket'];

type Key = Pick<LedgerAccount, 'provider' | 'model' | 'kind'> & { readonly price: Ready | null };
/** An account while calls are added to it. */
type Account = Key & {
  calls: number;
  tokens: number;
  nano: number;
  readonly buckets: Map<Billed, { tokens: number; nano: number }>;
};
type Accounts = Map<string, Account>;

/** The token buckets, in the order of the columns that hold them. */
const BUCKETS = [
  ['fresh', 'fresh_tokens'],
  ['cacheRead', 'cache_read_tokens'],
  ['cacheWrite5m', 'cache_write_tokens'],
  ['cacheWrite1h', 'cache_write_1h_tokens'],
  ['output', 'output_tokens'],
  ['reasoning', 'reasoning_tokens'],
] as const satisfies readonly (readonly [keyof UsageBuckets, string])[];
const COLUMNS = BUCKETS.map(([, column]) => column);
/** Largest numerator for which tokens × rate fits SQLite's integers; calls above it are computed individually. */
const MAX_NUMERATOR = 1e8;

/** The accounts of stored calls, read an hour at a time so that a large day fits in memory. */
export function readLedger(reader: Reader, { window, environment }: LedgerQuery): Ledger {
  const accounts: Accounts = new Map();
  for (const project of reader.projects) {
    const prices = readPrices(reader, project);
    const rates = JSON.stringify([...prices].flatMap(([id, ready]) => ratesOf(id, ready)));
    for (let from = window.from; from < window.to; from += HOUR_MS) {
      const hour = { from, to: Math.min(window.to, from + HOUR_MS) };
      const calls = { project, prices, rates, hour, environment };
      if (addPlain(accounts, reader, calls) > 0) addOthers(accounts, reader, calls);
    }
  }
  const models = queryMetrics(reader, {
    measures: ['cost', 'requests', 'unpriced'],
    groupBy: ['provider', 'model'],
    window,
    filters: environment === null ? {} : { environment },
  });
  return { accounts: [...accounts.values()].map(toAccount), models };
}

const toAccount = ({ price, buckets, ...account }: Account): LedgerAccount => ({
  ...account,
  price: price === null ? null : { id: price.id, applied: price.price },
  buckets: [...buckets].map(([bucket, sums]) => ({ bucket, ...sums })),
});

function readPrices(reader: Reader, project: number): Map<number, Ready> {
  const rows = reader.rows('SELECT id, json FROM event_prices WHERE project = ?', [project]);
  return new Map(
    rows.map(([id, json]) => [
      Number(id),
      { id: Number(id), ...readyPrice(JSON.parse(String(json)) as AppliedPrice) },
    ]),
  );
}

/** A price for SQL: its number, the numerator and denominator per bucket, and the fee per request. */
function ratesOf(id: number, { rates }: Ready): (number | null)[][] {
  const known = BUCKETS.map(([bucket]) => rates[bucket]);
  const { request } = rates;
  if ([...known, request].some((rate) => rate !== undefined && rate.numerator > MAX_NUMERATOR)) return [];
  const fractions = known.flatMap((rate) => [rate?.numerator ?? null, rate?.denominator ?? null]);
  const fee = request === undefined ? 0 : halfUp(request.numerator, request.denominator);
  return [[id, ...fractions, fee]];
}

const halfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** The calls of an hour of a project, and its prices. */
type Calls = {
  readonly project: number;
  readonly prices: ReadonlyMap<number, Ready>;
  readonly rates: string;
  readonly hour: Window;
  readonly environment: string | null;
};

const ANSWERED = EVENT_STATUSES.flatMap((status, code) => (isAnswered(status) ? code : [])).join(', ');
const HAS_TOKENS = `${rowValue('input_tokens')} + ${rowValue('output_tokens')} > 0`;
/** A call's amount for a bucket, like `amountNano`: rounded half up. */
const AMOUNTS = COLUMNS.map(
  (column, i) => `ifnull((2 * ${column} * n${i} + d${i}) / (2 * d${i}), 0) AS a${i}`,
).join(', ');
const FRACTIONS = COLUMNS.map((_, i) => `value ->> ${2 * i + 1} AS n${i}, value ->> ${2 * i + 2} AS d${i}`);

/** The calls of an hour, each with its amounts per bucket and its fee; `plain` if these add up to its cost. */
const CALLS = `WITH rates AS MATERIALIZED (
    SELECT value ->> 0 AS id, ${FRACTIONS.join(', ')}, value ->> ${2 * COLUMNS.length + 1} AS fee
    FROM json_each(?)
  ), amounts AS (
    SELECT events.*, ${AMOUNTS},
      iif(fee > 0 AND (${HAS_TOKENS} OR status IN (${ANSWERED})), 1, 0) AS fees, ifnull(fee, 0) AS fee, rates.id AS known
    FROM events LEFT JOIN rates ON rates.id = price
    WHERE project = ? AND ts >= ? AND ts < ? AND is_call = 1 AND (? IS NULL OR environment = ?)
  ), calls AS (
    SELECT *, cost_status <> ${COST_STATUS.client} AND known IS NOT NULL
      AND ${COLUMNS.map((_, i) => `a${i}`).join(' + ')} + fees * fee = cost_nano AS plain
    FROM amounts
  )`;

const argsOf = ({ project, rates, hour: { from, to }, environment }: Calls): SqlValue[] => [
  rates,
  project,
  from,
  to,
  environment,
  environment,
];

/**
 * Adds, in SQL, calls whose cost is the sum of their buckets at a stored price, and calls without a price.
 * @returns number of remaining calls: with searches or audio, or older than stored prices
 */
function addPlain(accounts: Accounts, reader: Reader, hour: Calls): number {
  const tokens = COLUMNS.map((column) => `total(${column})`).join(', ');
  const amounts = COLUMNS.map((_, i) => `total(a${i})`).join(', ');
  const rows = reader.rows(
    `${CALLS} SELECT provider, model, cost_status, price, ifnull(plain, 0), count(*), total(cost_nano),
       total(fees), max(fee), ${tokens}, ${amounts} FROM calls GROUP BY 1, 2, 3, 4, 5`,
    argsOf(hour),
  );
  let left = 0;
  for (const [provider, model, status, price, plain, ...values] of rows) {
    const [calls = 0, nano = 0, fees = 0, fee = 0, ...sums] = values.map(Number);
    const costStatus = COST_STATUSES[Number(status)];
    const isPlain = plain === 1;
    if (!isPlain && (costStatus === 'priced' || costStatus === 'estimated')) {
      left += calls;
      continue;
    }
    const ready = isPlain ? (hour.prices.get(Number(price)) ?? null) : null;
    const account = accountOf(accounts, {
      provider: textOf(provider),
      model: textOf(model),
      kind: costStatus ?? 'unexplained',
      price: ready,
    });
    account.calls += calls;
    account.nano += nano;
    for (const [i, [bucket]] of BUCKETS.entries()) {
      account.tokens += sums[i] ?? 0;
      if (ready !== null) addTo(account, bucket, sums[i] ?? 0, sums[BUCKETS.length + i] ?? 0);
    }
    if (ready !== null) addTo(account, 'request', fees, fees * fee);
  }
  return left;
}

/** Adds the remaining calls individually, each explained separately. */
function addOthers(accounts: Accounts, reader: Reader, hour: Calls): void {
  const rows = reader.rows(
    `${CALLS} SELECT provider, model, cost_status, price, status, cost_nano, detail, ${COLUMNS.join(', ')}
     FROM calls WHERE NOT ifnull(plain, 0)
       AND cost_status IN (${COST_STATUS.priced}, ${COST_STATUS.estimated})`,
    argsOf(hour),
  );
  for (const [provider, model, costStatus, price, status, nano, detail, ...tokens] of rows) {
    const ready = hour.prices.get(Number(price ?? -1)) ?? null;
    const counts = tokens.map(Number);
    const lines =
      ready === null ? [] : linesOfCall(ready, counts, textOf(detail), EVENT_STATUSES[Number(status)]);
    const isExplained = ready !== null && sumOf(lines) === Number(nano);
    const account = accountOf(accounts, {
      provider: textOf(provider),
      model: textOf(model),
      kind: isExplained ? (COST_STATUSES[Number(costStatus)] ?? 'priced') : 'unexplained',
      price: isExplained ? ready : null,
    });
    account.calls++;
    account.nano += Number(nano ?? 0);
    account.tokens += counts.reduce((sum, count) => sum + count, 0);
    if (isExplained) for (const line of lines) addTo(account, line.bucket, line.tokens, line.amount_nano);
  }
}

function linesOfCall(
  ready: Ready,
  counts: readonly number[],
  detail: string | null,
  status: EventStatus = 'error',
): PriceLine[] {
  const { usage = null, metadata = null } = detail === null ? {} : JSON.parse(detail);
  const buckets = Object.fromEntries(BUCKETS.map(([bucket], i) => [bucket, counts[i] ?? 0])) as UsageBuckets;
  const how = { extras: usageExtras(usage, metadata), answered: isAnswered(status) };
  return linesOf(ready, buckets, how) ?? [];
}

const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

function accountOf(accounts: Accounts, key: Key): Account {
  const id = JSON.stringify([key.provider, key.model, key.kind, key.price?.id ?? null]);
  const account = accounts.get(id) ?? { ...key, calls: 0, tokens: 0, nano: 0, buckets: new Map() };
  accounts.set(id, account);
  return account;
}

function addTo({ buckets }: Account, bucket: Billed, tokens: number, nano: number): void {
  if (tokens === 0) return;
  const sums = buckets.get(bucket) ?? { tokens: 0, nano: 0 };
  buckets.set(bucket, { tokens: sums.tokens + tokens, nano: sums.nano + nano });
}
