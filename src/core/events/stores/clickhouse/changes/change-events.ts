import type { Ctx } from '../../../../../context.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import { markOf } from '../../../../../db/remote/turns.ts';
import { badRequest, conflict } from '../../../../../errors.ts';
import { DAY_MS, formatInstant } from '../../../../../lib/time.ts';
import { pricerOf, usageExtras } from '../../../../pricing/index.ts';
import { ofProject, type ProjectScope } from '../../../../tenancy/index.ts';
import {
  type CallSelection,
  type ChangeProgress,
  type CostDifference,
  type EventChanges,
  START,
} from '../../../change.ts';
import { isAnswered } from '../../../is-answered.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, keys, nothing, type Sql, sql, text, texts } from '../engine/sql.ts';
import { IS_EVENT, selected } from '../reads/conditions.ts';
import { encodeEntry } from '../record/entry.ts';
import type { Lane } from '../record/lane.ts';
import type { Outbox, ProjectTurn } from '../record/outbox.ts';
import { outboxOp } from '../record/outbox-ops.ts';
import { bucketsOf, objectOf, type StoredRow } from '../rows/to-event.ts';
import type { EventRow } from '../rows/to-row.ts';
import { pricesVersionRead } from './prices-version.ts';

type Parts = { readonly engine: Engine; readonly outbox: Outbox; readonly lane: Lane };
/** A whole row, so that it can be inserted again with another cost. */
type WholeRow = StoredRow & EventRow;
type Cost = Pick<StoredRow, 'cost_nano' | 'cost_status' | 'price'>;
type Repriced = { readonly row: WholeRow; readonly next: Cost };

/** Calls of a page of a dry run. */
const PREVIEW_ROWS = 5_000;
/** Most calls of a slice. */
const MOST_ROWS = 2_000;

/**
 * Changes of costs in slices. The old costs are kept before a slice is committed: one that is kept in vain is the
 * event's own, so that restoring it changes nothing. A cursor is the place of the last event.
 */
export function createChanges(ctx: Ctx, { engine, outbox, lane }: Parts): EventChanges {
  async function versionOf(scope: ProjectScope, expected: string | null): Promise<string> {
    const version = (await ctx.db.read(pricesVersionRead, ofProject(scope), null)).parse();
    if (expected !== null && expected !== version)
      throw conflict('Prices have changed since the dry run; start another one');
    return version;
  }

  /** Calls after a cursor, and those of them whose cost would change. */
  async function reprice(scope: ProjectScope, calls: CallSelection, cursor: string, rows: number) {
    const pricer = await pricerOf(ctx, scope.organizationId);
    const found = await readCalls(engine, scope.no, calls, { cursor, rows });
    const repriced = found.flatMap((row): Repriced[] => {
      const { provider, model, ts } = row;
      const priced = pricer.priceCall({
        provider,
        model,
        ts,
        buckets: bucketsOf(row),
        extras: usageExtras(objectOf(row.usage), objectOf(row.metadata)),
        answered: isAnswered(row.status),
      });
      const isUnpriced = priced.status === 'unpriced';
      const cost_nano = isUnpriced ? null : priced.cost_nano;
      if (cost_nano === row.cost_nano && priced.status === row.cost_status) return [];
      const price = isUnpriced ? '' : JSON.stringify(priced.price);
      return [{ row, next: { cost_nano, cost_status: priced.status, price } }];
    });
    return { found, repriced, next: found.length < rows ? null : cursorOf(found.at(-1)) };
  }

  /** Commits new costs with the effects of a slice. */
  async function commit(
    project: number,
    repriced: readonly Repriced[],
    slice: {
      readonly gone: number;
      readonly cursor: string;
      readonly effects: readonly EffectCall[];
      readonly turn: ProjectTurn;
    },
  ): Promise<Omit<ChangeProgress, 'next' | 'ms'>> {
    const { gone, cursor, effects, turn } = slice;
    const costNano = repriced.reduce(
      (sum, { row, next }) => sum + (row.is_call === 1 ? (next.cost_nano ?? 0) - (row.cost_nano ?? 0) : 0),
      0,
    );
    const outcome = { changed: repriced.length, gone, costNano, cursor };
    const changes = repriced.map(({ row, next }): EventRow => ({ ...row, ...next }));
    const entry = { project, receipts: [], changes, flips: [], tagValues: [] };
    const since = performance.now();
    const { no } = await ctx.db.writer.write(
      outboxOp,
      {
        project,
        entry: changes.length === 0 ? null : encodeEntry(entry),
        undated: [],
        effects,
        outcome,
        turn: markOf(turn),
      },
      1,
    );
    if (no !== null) {
      await outbox.insert([{ no, entry }], [turn]);
      outbox.finish([no], []);
    }
    return { ...outcome, tripMs: performance.now() - since };
  }

  return {
    change: (scope, change, { cursor, rows }, effects = []) =>
      lane.alone(scope.no, { deletes: false }, async (turn) => {
        const since = performance.now();
        const of = { project: scope.no, id: change.id };
        const most = Math.min(MOST_ROWS, Math.max(1, rows));
        if (change.kind === 'reprice') {
          await versionOf(scope, change.pricesVersion);
          const { repriced, next, found } = await reprice(scope, change.calls, cursor, most);
          await keepCosts(
            engine,
            of,
            repriced.map(({ row }) => row),
          );
          const slice = { gone: 0, cursor: next ?? cursorOf(found.at(-1)) ?? cursor, effects, turn };
          return { ...(await commit(scope.no, repriced, slice)), next, ms: performance.now() - since };
        }
        const { repriced, gone, next, last } = await readKept(engine, of, { cursor, rows: most });
        const slice = { gone, cursor: next ?? last ?? cursor, effects, turn };
        const done = await commit(scope.no, repriced, slice);
        if (next === null) await forgetCosts(engine, of);
        return { ...done, next, ms: performance.now() - since };
      }),
    previewReprice: (scope, calls, { cursor, pricesVersion: expected }) =>
      lane.alone(scope.no, { deletes: false }, async () => {
        const version = await versionOf(scope, expected);
        const { found, repriced, next } = await reprice(scope, calls, cursor, PREVIEW_ROWS);
        return {
          pricesVersion: version,
          looked: found.length,
          changes: repriced.length,
          unreadable: 0,
          differences: differencesOf(repriced.filter(({ row }) => row.is_call === 1)),
          next,
        };
      }),
  };
}

const cursorOf = <R extends Pick<StoredRow, 'ts' | 'event_id'> | undefined>(
  row: R,
): R extends undefined ? null : string =>
  (row === undefined ? null : `${row.ts} ${row.event_id}`) as R extends undefined ? null : string;

type From = { readonly cursor: string; readonly rows: number };

/** Whether a row comes after a cursor. */
function after(cursor: string): Sql {
  if (cursor === START) return nothing;
  const [, ts, id] = /^(-?\d+) ([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (ts === undefined || id === undefined) throw badRequest('cursor: was not returned by this change');
  return sql`AND (ts, toString(event_id)) > (${int(Number(ts))}, ${text(id)})`;
}

const WHOLE = sql`* EXCEPT (version, is_deleted)`;

/** Calls in the order of time, those that another span stands for included: they keep a cost in case they count later. */
function readCalls(
  engine: Engine,
  project: number,
  calls: CallSelection,
  { cursor, rows }: From,
): Promise<WholeRow[]> {
  const { from, to, provider, model, environment, unpricedOnly, clientCosts } = calls;
  const meant = unpricedOnly
    ? sql`AND ifNull(cost_status, '') = 'unpriced'`
    : clientCosts
      ? nothing
      : sql`AND ifNull(cost_status, '') != 'client'`;
  return engine.read<WholeRow>(
    [project],
    sql`SELECT ${WHOLE} FROM events FINAL WHERE project IN ${ints([project])} AND ts >= ${int(from)} AND ts < ${int(to)}
      AND kind IN ('llm', 'embedding') AND ${IS_EVENT} AND ${selected({ filters: { provider, model, environment }, calls: false })} ${meant} ${after(cursor)}
      ORDER BY ts, toString(event_id) LIMIT ${int(rows)}`,
  );
}

type Repricing = { readonly project: number; readonly id: string };

async function keepCosts(
  engine: Engine,
  { project, id }: Repricing,
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const kept = rows.map(({ ts, event_id, cost_nano, cost_status, price }) => ({
    ...{ project, repricing: id, ts, event_id },
    ...{ cost_nano, cost_status, price },
  }));
  await engine.insert('repriced_events', kept);
}

type KeptRow = Cost & Pick<StoredRow, 'ts' | 'event_id'>;

/** Kept costs after a cursor whose events have another one now. */
async function readKept(engine: Engine, { project, id }: Repricing, { cursor, rows }: From) {
  const kept = await engine.read<KeptRow>(
    [project],
    sql`SELECT ts, event_id, cost_nano, cost_status, price FROM repriced_events FINAL
      WHERE project IN ${ints([project])} AND repricing = ${text(id)} ${after(cursor)}
      ORDER BY ts, toString(event_id) LIMIT ${int(rows)}`,
  );
  const of = kept.map(({ ts, event_id }) => ({ project, ts, id: event_id }));
  const found =
    kept.length === 0
      ? []
      : await engine.read<WholeRow>(
          [project],
          sql`SELECT ${WHOLE} FROM (SELECT * FROM events WHERE project IN ${ints([project])} AND (project, ts, event_id) IN ${keys(of)}
            ORDER BY project, ts, event_id, version DESC LIMIT 1 BY project, ts, event_id) WHERE ${IS_EVENT} AND NOT is_deleted`,
        );
  const byId = new Map(found.map((row) => [row.event_id, row]));
  const repriced = kept.flatMap(({ event_id, ts: _, ...next }): Repriced[] => {
    const row = byId.get(event_id);
    if (row === undefined) return [];
    const isSame =
      row.cost_nano === next.cost_nano && row.cost_status === next.cost_status && row.price === next.price;
    return isSame ? [] : [{ row, next }];
  });
  const last = cursorOf(kept.at(-1));
  return { repriced, gone: kept.length - found.length, next: kept.length < rows ? null : last, last };
}

const forgetCosts = (engine: Engine, { project, id }: Repricing): Promise<void> =>
  engine.run(
    sql`DELETE FROM repriced_events WHERE project IN ${ints([project])} AND repricing IN ${texts([id])}`,
  );

function differencesOf(repriced: readonly Repriced[]): CostDifference[] {
  const dayOf = ({ ts }: StoredRow): string => formatInstant(Math.floor(ts / DAY_MS) * DAY_MS).slice(0, 10);
  const groups = Map.groupBy(repriced, ({ row }) => JSON.stringify([dayOf(row), row.provider, row.model]));
  const count = (of: readonly Cost[]): number =>
    of.filter(({ cost_status }) => cost_status === 'unpriced').length;
  const sum = (of: readonly Cost[]): number => of.reduce((all, { cost_nano }) => all + (cost_nano ?? 0), 0);
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const [before, after] = [own.map(({ row }) => row), own.map(({ next }) => next)];
    return [
      {
        day: dayOf(first.row),
        provider: first.row.provider,
        model: first.row.model,
        events: own.length,
        unpricedBefore: count(before),
        unpricedAfter: count(after),
        before: sum(before),
        after: sum(after),
      },
    ];
  });
}
