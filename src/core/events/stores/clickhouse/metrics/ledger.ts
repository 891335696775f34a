import { badRequest } from '../../../../../errors.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { linesOf, type PriceLine, readyPrice, sumOf, usageExtras } from '../../../../pricing/index.ts';
import type { ProjectScope } from '../../../../tenancy/index.ts';
import type { CostStatus, EventStatus } from '../../../contract.ts';
import { isAnswered } from '../../../is-answered.ts';
import type {
  Ledger,
  LedgerAccount,
  LedgerDay,
  LedgerDayQuery,
  LedgerDayState,
  LedgerDaysQuery,
  LedgerParty,
  LedgerQuery,
} from '../../../ledger.ts';
import type { EventFilters, Window } from '../../../selection.ts';
import {
  type Accounts,
  accountOf,
  addToBucket,
  packLedger,
  type Ready,
  unpackLedger,
} from '../../shared/ledger/accounts.ts';
import { createPartyRows, type PartyRows, placeOfBucket } from '../../shared/ledger/party-rows.ts';
import { namedProvider } from '../../shared/metrics/dimensions.ts';
import type { Engine } from '../engine/engine.ts';
import { int, raw, type Sql, sql, text } from '../engine/sql.ts';
import { IS_EVENT, inWindow, jsonText, selected } from '../reads/conditions.ts';
import { objectOf } from '../rows/to-event.ts';
import { answerMetrics } from './answer-metrics.ts';

/** Most kinds of calls that a ledger tells apart: calls of one kind have the same price and the same usage. */
const MAX_KINDS = 1_000_000;

/** Calls of a model with one price and one usage. */
type CallKind = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly cost_status: CostStatus | null;
  readonly price: string;
  readonly status: EventStatus;
  /** What else they are told apart by. */
  readonly part: string | null;
  readonly cost: number | null;
  readonly usage: string;
  readonly metadata: string;
  readonly tokens: readonly number[];
  readonly calls: number;
};

type Of = { readonly window: Window; readonly filters: EventFilters; readonly part: Sql };

async function readKinds(
  engine: Engine,
  projects: readonly number[],
  { window, filters, part }: Of,
): Promise<CallKind[]> {
  const rows = await engine.read<CallKind>(
    projects,
    sql`SELECT nullIf(provider, '') AS provider, nullIf(model, '') AS model, cost_status, price, status,
        ${part} AS part, cost_nano AS cost, usage, metadata, count() AS calls,
        [bucket_fresh, bucket_cache_read, bucket_cache_write_5m, bucket_cache_write_1h, bucket_output, bucket_reasoning] AS tokens
      FROM events FINAL WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected({ filters, calls: true })}
      GROUP BY ALL LIMIT ${int(MAX_KINDS + 1)}`,
  );
  if (rows.length > MAX_KINDS)
    throw badRequest(
      `start: a ledger tells at most ${MAX_KINDS.toLocaleString('en-US')} kinds of calls apart; choose a shorter window`,
    );
  return rows;
}

/** The accounts of stored calls, and the totals of all calls. */
export async function readLedger(
  engine: Engine,
  projects: readonly number[],
  { window, environment, byTags = false }: LedgerQuery,
): Promise<Ledger> {
  const filters = environment === null ? {} : { environment };
  const [rows, { models = [] }] = await Promise.all([
    readKinds(engine, projects, { window, filters, part: raw(byTags ? 'tags_json' : "''") }),
    answerMetrics(engine, projects, {
      models: { measures: ['cost', 'requests', 'unpriced'], groupBy: ['provider', 'model'], window, filters },
    }),
  ]);
  const accounts: Accounts = new Map();
  const explain = createExplain();
  for (const row of rows) {
    const { kind, price, lines } = explain(row);
    const tags = tagsInOrder(row.part ?? '');
    const account = accountOf(accounts, {
      provider: namedProvider(row.provider),
      model: row.model,
      kind,
      tags,
      price,
    });
    account.calls += row.calls;
    account.nano += (row.cost ?? 0) * row.calls;
    account.tokens += tokensOf(row) * row.calls;
    for (const line of lines)
      addToBucket(account, line.bucket, line.tokens * row.calls, line.amount_nano * row.calls);
  }
  return unpackLedger(packLedger(accounts, models as unknown as Ledger['models']));
}

/** Tags as JSON with their keys in order; null without any. */
function tagsInOrder(json: string): string | null {
  const entries = Object.entries(objectOf(json) ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

const tokensOf = ({ tokens }: CallKind): number => tokens.reduce((sum, one) => sum + one, 0);

type Explained = {
  readonly kind: LedgerAccount['kind'];
  readonly price: Ready | null;
  readonly lines: readonly PriceLine[];
};

/** Tells how the cost of a call came about. A price is numbered by its text: it has the same number on every server. */
function createExplain(): (row: CallKind) => Explained {
  const prices = new Map<string, Ready>();
  const priceIn = (json: string): Ready => {
    const known = prices.get(json);
    if (known !== undefined) return known;
    const id = Number(BigInt.asUintN(53, BigInt(Bun.hash(json))));
    const ready = { id, ...readyPrice(JSON.parse(json)) };
    prices.set(json, ready);
    return ready;
  };
  return (row) => {
    const { cost_status: status, cost } = row;
    const isPriced = status === 'priced' || status === 'estimated';
    if (row.price !== '' && status !== 'client') {
      const price = priceIn(row.price);
      const lines = linesOfKind(row, price);
      if (sumOf(lines) === cost) return { kind: status ?? 'priced', price, lines };
    }
    return { kind: isPriced ? 'unexplained' : (status ?? 'unexplained'), price: null, lines: [] };
  };
}

function linesOfKind({ tokens, usage, metadata, status }: CallKind, price: Ready): PriceLine[] {
  const [fresh = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0, reasoning = 0] = tokens;
  const buckets = { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning };
  const extras = usageExtras(objectOf(usage), objectOf(metadata));
  return linesOf(price, buckets, { extras, answered: isAnswered(status) }) ?? [];
}

/** The state of each day: its stamp is made of the versions of its events, and of what an erasure may rename. */
export async function readLedgerDays(
  engine: Engine,
  project: number,
  { from, to }: LedgerDaysQuery,
): Promise<LedgerDayState[]> {
  if (from >= to) return [];
  const window = { from: from * DAY_MS, to: to * DAY_MS };
  const rows = await engine.read<{ day: number; stamp: string; kept: number }>(
    [project],
    sql`SELECT intDiv(ts, ${int(DAY_MS)}) AS day,
        if(countIf(${IS_EVENT}) = 0, '', hex(groupBitXorIf(cityHash64(event_id, version, tags_json), ${IS_EVENT}) + countIf(${IS_EVENT}))) AS stamp,
        countIf(is_kept) AS kept
      FROM events WHERE ${inWindow([project], window)} GROUP BY day`,
  );
  const states = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: to - from }, (_, place) => ({
    day: from + place,
    stamp: states.get(from + place)?.stamp ?? '',
    complete: (states.get(from + place)?.kept ?? 0) === 0,
  }));
}

/** The calls of a day by who pays for them. */
export async function readLedgerDay(
  engine: Engine,
  scope: ProjectScope,
  { day, by }: LedgerDayQuery,
): Promise<LedgerDay> {
  const window = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
  const [states, kinds] = await Promise.all([
    readLedgerDays(engine, scope.no, { from: day, to: day + 1 }),
    readKinds(engine, [scope.no], { window, filters: {}, part: partyOf(scope, by) }),
  ]);
  const rows = createPartyRows(by);
  const explain = createExplain();
  for (const kind of kinds)
    addToParty(
      rows,
      { ...kind, part: by === 'tags' ? tagsInOrder(kind.part ?? '') : kind.part },
      explain(kind),
    );
  return { stamp: states[0]?.stamp ?? '', complete: states[0]?.complete ?? true, ...rows.toDay() };
}

function partyOf({ projectId }: ProjectScope, by: LedgerParty): Sql {
  if (by === 'project') return text(projectId);
  if (by === 'user') return raw("nullIf(user_id, '')");
  if (by === 'key') return raw('key_id');
  if (by === 'tags') return raw('tags_json');
  // As events have it, not limited as in sums by tag.
  return sql`nullIf(${jsonText('tags_json', text(by.slice('tag:'.length)))}, '')`;
}

function addToParty(rows: PartyRows, row: CallKind, { kind, price, lines }: Explained): void {
  const { model, part, calls, cost } = row;
  const provider = namedProvider(row.provider);
  const at = rows.rowOf(rows.party(part), rows.account({ provider, model, kind, price }));
  const sums = rows.sums();
  const add = (place: number, value: number): void => {
    sums[place] = (sums[place] ?? 0) + value;
  };
  add(at, calls);
  add(at + 1, tokensOf(row) * calls);
  add(at + 2, (cost ?? 0) * calls);
  for (const { bucket, tokens, amount_nano } of lines) {
    add(at + placeOfBucket(bucket), tokens * calls);
    add(at + placeOfBucket(bucket) + 1, amount_nano * calls);
  }
}
