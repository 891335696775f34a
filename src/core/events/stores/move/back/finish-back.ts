import type { Reader, ReadSession } from '../../../../../db/reader.ts';
import { AppError } from '../../../../../errors.ts';
import { COST_STATUSES } from '../../../contract.ts';
import type { Engine } from '../../clickhouse/engine/engine.ts';
import { int, nothing, sql, text } from '../../clickhouse/engine/sql.ts';
import { readOp } from '../../sqlite/read-op.ts';
import { openStoredSegment } from '../../sqlite/scan/open-chunks.ts';
import { createSegmentDropper } from '../../sqlite/seal/segment-ops.ts';
import { gather } from '../../sqlite/segments/gather.ts';
import { segmentsOf } from '../../sqlite/segments/stored-segments.ts';
import { type SumDeltas, sumDeltasOf } from '../../sqlite/sums/sum-deltas.ts';
import { openStoredSums } from '../../sqlite/sums/sums-part.ts';
import { eventTables } from '../../sqlite/tables.ts';
import { compareMoved } from '../compare-moved.ts';
import { projectIs } from '../target.ts';
import type { WorkFile } from './work-file.ts';

/** Tables that are filled anew from the segments each time. */
const SUMS = eventTables.flatMap(({ name }) =>
  /^(rollup_|user_days|event_users|label_packs|repriced_events|rows_from)/.test(name) ? [name] : [],
);
/** Tables of the store that a file shares with events on another engine. */
const SHARED: readonly string[] = ['undated_events'];
/** Tables of the store that a new file fills itself. */
export const OWN_EVENT_TABLES: readonly string[] = eventTables.flatMap(({ name }) =>
  SHARED.includes(name) ? [] : [name],
);

type FinishBack = {
  readonly engine: Engine;
  readonly work: WorkFile;
  /** Reads the new file. */
  readonly session: ReadSession;
  readonly projects: readonly number[];
  readonly signal: AbortSignal;
};

const segmentSumsRead = readOp('move-segment-sums', (reader: Reader, no: number): SumDeltas | null => {
  const [stored] = segmentsOf(reader, reader.projects[0] ?? 0, [no]);
  if (stored === undefined) return null;
  const chunk = openStoredSegment(reader, stored);
  return sumDeltasOf(gather([chunk], [chunk.present()]));
});

/**
 * Adds up all copied events, leaves out the rows of figures, and compares all sums by project, day and model.
 * @throws AppError 500 if they differ
 */
export async function finishBack({ engine, work, session, projects, signal }: FinishBack): Promise<void> {
  const { connection } = work;
  for (const table of SUMS) connection.exec(`DELETE FROM ${table}`);
  const kept = new Set(work.keptSegments());
  const sums = openStoredSums(connection);
  const list = connection
    .prepare('SELECT no, last_ts FROM event_segments WHERE project = ? ORDER BY no')
    .raw(true);
  const drop = createSegmentDropper(connection);
  const noteCut = connection.prepare(
    'INSERT INTO rows_from (project, ts) VALUES (?, ?) ON CONFLICT DO UPDATE SET ts = max(ts, excluded.ts)',
  );
  const cut: number[] = [];
  for (const project of projects) {
    for (const [no, last] of list.all([project]) as [number, number][]) {
      signal.throwIfAborted();
      const deltas = session.run(segmentSumsRead, [project], no);
      connection.exec('BEGIN IMMEDIATE');
      if (deltas !== null) sums.add(project, deltas);
      if (kept.has(no)) {
        noteCut.run([project, last + 1]);
        cut.push(no);
      }
      connection.exec('COMMIT');
      // Lets a signal arrive.
      await Bun.sleep(0);
    }
    await copyKeptCosts({ engine, work, project });
  }
  // The last step that needs them has been done: a move that is interrupted now copies their days again.
  connection.exec('BEGIN IMMEDIATE');
  for (const no of cut) {
    drop(no);
    connection
      .prepare(
        'DELETE FROM move_days WHERE (project, day) IN (SELECT project, day FROM move_segments WHERE no = ?)',
      )
      .run([no]);
  }
  connection.exec('COMMIT');
  for (const project of projects) {
    signal.throwIfAborted();
    const [difference] = await compareMoved(session, engine, project);
    if (difference !== undefined)
      throw new AppError(
        500,
        `The sums are not the same, and the move is not finished: ${JSON.stringify({ project, ...difference })}`,
      );
  }
}

type KeptCost = {
  readonly repricing: string;
  readonly ts: number;
  readonly id: string;
  readonly old_cost: number | null;
  readonly old_status: string | null;
  readonly old_price: string;
  readonly cost_nano: number | null;
  readonly cost_status: string | null;
  readonly price: string;
};

/** Costs that are read at once. */
const AT_ONCE = 10_000;

/** What events cost before re-pricings, with what they cost now, so that these can be taken back. */
async function copyKeptCosts({
  engine,
  work: { connection },
  project,
}: Pick<FinishBack, 'engine' | 'work'> & { readonly project: number }): Promise<void> {
  const priceNumber = connection
    .prepare('SELECT id FROM event_prices WHERE project = ? AND json = ?')
    .raw(true);
  const addPrice = connection
    .prepare('INSERT INTO event_prices (project, json) VALUES (?, ?) RETURNING id')
    .raw(true);
  const priceOf = (json: string): number | null => {
    if (json === '') return null;
    const [found = (addPrice.all([project, json]) as [number][])[0]] = priceNumber.all([project, json]) as [
      number,
    ][];
    return found?.[0] ?? null;
  };
  const statusOf = (name: string | null): number | null => {
    const index = (COST_STATUSES as readonly (string | null)[]).indexOf(name);
    return index === -1 ? null : index;
  };
  const insert = connection.prepare(
    `INSERT INTO repriced_events (repricing, project, ts, event_id, old_cost, old_status, old_price, cost, status, price)
     VALUES (?, ?, ?, unhex(?), ?, ?, ?, ?, ?, ?)`,
  );
  for (let after: KeptCost | null | undefined = null; after !== undefined; ) {
    const rest =
      after === null
        ? nothing
        : sql`AND (repricing, ts, toString(event_id)) > (${text(after.repricing)}, ${int(after.ts)}, ${text(after.id)})`;
    const rows: KeptCost[] = await engine.read<KeptCost>(
      [project],
      sql`SELECT repricing, ts, toString(event_id) AS id, kept.1 AS old_cost, kept.2 AS old_status, kept.3 AS old_price,
          now.1 AS cost_nano, now.2 AS cost_status, now.3 AS price
        FROM (
          SELECT repricing, ts, event_id, tuple(cost_nano, cost_status, price) AS kept FROM repriced_events FINAL
          WHERE ${projectIs(project)} ${rest} ORDER BY repricing, ts, toString(event_id) LIMIT ${int(AT_ONCE)}
        ) AS before LEFT JOIN (
          SELECT ts, event_id, tuple(cost_nano, cost_status, price) AS now FROM events FINAL
          WHERE ${projectIs(project)} AND NOT is_kept
            AND (ts, event_id) IN (SELECT ts, event_id FROM repriced_events WHERE ${projectIs(project)})
        ) AS stored USING (ts, event_id) ORDER BY repricing, ts, id`,
    );
    connection.exec('BEGIN IMMEDIATE');
    for (const { repricing, ts, id, old_cost, old_status, old_price, ...now } of rows)
      insert.run([
        ...[repricing, project, ts, id.replaceAll('-', '')],
        ...[old_cost, statusOf(old_status), priceOf(old_price)],
        ...[now.cost_nano, statusOf(now.cost_status), priceOf(now.price)],
      ]);
    connection.exec('COMMIT');
    after = rows.length < AT_ONCE ? undefined : rows.at(-1);
  }
}
