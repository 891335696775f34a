import type { Ctx } from '../../../../../context.ts';
import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Job } from '../../../../../module.ts';
import { paced } from '../../../../jobs/index.ts';
import { projects } from '../../../../projects/table.ts';
import { bufferOf } from '../sums/blob.ts';
import { decodeColumns, encodeColumns } from '../sums/narrow-columns.ts';
import { LABEL_ROLLUPS, LABEL_SUMS, type LabelRollup } from '../sums/rollup-sums.ts';

type PackRequest = { readonly project: number; readonly now: number };

/** Labels per write, so that the writer is not blocked for long. */
const AT_ONCE = 1_000;

/**
 * Moves label sums of the oldest finished hour or day into its pack: a thousand labels in columns take a third of the
 * bytes and a fiftieth of the read time. Later changes stay in rows as deltas, so a sum is the pack plus the rows.
 * Returns false if there is nothing to move.
 */
export const packLabelsOp: WriteOp<PackRequest, boolean> = {
  name: 'events.pack_labels',
  open(connection) {
    const packers = LABEL_ROLLUPS.map((rollup) => createPacker(connection, rollup));
    return { apply: ({ project, now }) => packers.some((pack) => pack(project, now)) };
  },
};

function createPacker(
  connection: Connection,
  { table, column, ms }: LabelRollup,
): (project: number, now: number) => boolean {
  const hours = ms / HOUR_MS;
  const oldest = connection
    .prepare(`SELECT min(${column}) FROM ${table} WHERE project = ? AND ${column} < ?`)
    .raw(true);
  const of = `FROM ${table} WHERE project = ? AND ${column} = ?`;
  const readRows = connection
    .prepare(`SELECT label, ${LABEL_SUMS.join(', ')} ${of} ORDER BY label LIMIT ${AT_ONCE}`)
    .raw(true);
  const removeRows = connection.prepare(`DELETE ${of} AND label <= ?`);
  const readPack = connection
    .prepare('SELECT sums FROM label_packs WHERE project = ? AND hours = ? AND time = ?')
    .raw(true);
  const writePack = connection.prepare(
    `INSERT INTO label_packs (project, hours, time, sums) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET sums = excluded.sums`,
  );
  return (project, now) => {
    // Waits an hour, because most late events have arrived by then.
    const [[time = null] = []] = oldest.all([project, Math.floor((now - HOUR_MS) / ms)]) as SqlValue[][];
    if (time === null) return false;
    const rows = (readRows.all([project, time]) as SqlValue[][]).map((row) => row.map(Number));
    const [stored] = readPack.all([project, hours, time]) as SqlValue[][];
    writePack.run([project, hours, time, addToPack(stored?.[0] ?? null, rows)]);
    removeRows.run([project, time, rows.at(-1)?.[0] ?? null]);
    return true;
  };
}

/** Adds rows of label and sums to a pack. */
function addToPack(pack: SqlValue, rows: readonly (readonly number[])[]): Uint8Array {
  const byLabel = new Map<number, number[]>();
  const old = pack === null ? [] : decodeColumns(bufferOf(pack));
  for (const [i, label] of [...(old[0] ?? [])].entries()) {
    byLabel.set(
      label,
      old.map((values) => values[i] ?? 0),
    );
  }
  for (const row of rows) {
    const own = byLabel.get(row[0] ?? 0);
    if (own === undefined) byLabel.set(row[0] ?? 0, [...row]);
    else for (let place = 1; place < row.length; place++) own[place] = (own[place] ?? 0) + (row[place] ?? 0);
  }
  const kept = [...byLabel.values()].filter((sums) => sums.some((sum, place) => place > 0 && sum !== 0));
  kept.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return encodeColumns(
    ['label', ...LABEL_SUMS].map((_, place) => Float64Array.from(kept, (sums) => sums[place] ?? 0)),
  );
}

/** Packs the label sums of all finished hours and days. */
export const packLabelsJob: Job = {
  name: 'events.pack_labels',
  summary: 'Pack the costs by key and tag of hours and days that are over, so that they are read fast',
  schedule: '20 * * * *',
  run: async (ctx, signal) => {
    const all = await ctx.db.sql.select({ no: projects.no }).from(projects);
    let packed = 0;
    for (const { no } of all) packed += await packLabels(ctx, no, signal);
    return { projects: all.length, packed };
  },
};

/** Packs until no finished hour or day is left; returns the number of moves. */
const packLabels = (ctx: Ctx, project: number, signal: AbortSignal): Promise<number> =>
  paced({
    from: 0,
    signal,
    slice: async (packed) => {
      const request: PackRequest = { project, now: ctx.now() };
      const moved = await ctx.db.writer.write(packLabelsOp, request);
      return moved ? { next: packed + 1, done: 1 } : { next: null, done: 0 };
    },
  });
