import type { Reader, ReadSession } from '../../../../db/reader.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import type { Engine } from '../clickhouse/engine/engine.ts';
import { int, type Sql, sql } from '../clickhouse/engine/sql.ts';
import { INPUT, IS_EVENT, OUTPUT } from '../clickhouse/reads/conditions.ts';
import { addChunk, differencesOf, keyOf, type SumDifference, type Sums } from '../first/compare-sums.ts';
import { readOp } from '../sqlite/read-op.ts';
import { batchesOf } from '../sqlite/scan/open-batches.ts';
import { ALL_TIME, chunksOf } from '../sqlite/scan/open-chunks.ts';
import { projectIs } from './target.ts';

/** Sums by day and model: of the events, and of all calls, those included whose events are gone. */
type BothSums = { readonly events: Sums; readonly calls: Sums };

/** The sums of a project in the file: of its events, each read, and of the roll-ups with what is not in them yet. */
const fileSumsRead = readOp('move-sums', (reader, project: number): BothSums => {
  const events: Sums = new Map();
  for (const ref of chunksOf(reader, project, ALL_TIME, { keep: false })) addChunk(events, ref.open());
  return { events, calls: callsIn(reader, project) };
});

function callsIn(reader: Reader, project: number): Sums {
  const calls: Sums = new Map();
  for (const ref of batchesOf(reader, project, ALL_TIME)) addChunk(calls, ref.open());
  // Events count in no sum by day; only calls do.
  for (const [key, [, ...sums]] of calls) calls.set(key, [0, ...sums]);
  for (const [day, provider, model, ...sums] of reader.rows(
    `SELECT day, provider, model, total(requests), total(cost_nano),
       total(fresh_tokens + cache_read_tokens + cache_write_tokens), total(output_tokens)
     FROM rollup_days WHERE project = ? AND is_call = 1 GROUP BY 1, 2, 3`,
    [project],
  )) {
    const key = keyOf(Number(day), textOrNull(provider), textOrNull(model));
    const known = calls.get(key);
    calls.set(
      key,
      [0, ...sums.map(Number)].map((sum, i) => sum + (known?.[i] ?? 0)),
    );
  }
  return calls;
}

const textOrNull = (value: unknown): string | null => (value === null || value === '' ? null : String(value));

type Row = readonly [day: number, provider: string | null, model: string | null, ...sums: number[]];

/** The sums of a project in ClickHouse, computed from its rows. */
export async function engineSums(engine: Engine, project: number): Promise<BothSums> {
  const sums = sql`countIf(is_call) AS calls, ifNull(sumIf(cost_nano, is_call), 0) AS cost,
    sumIf(${INPUT}, is_call) AS input, sumIf(${OUTPUT}, is_call) AS output`;
  const read = async (events: Sql, condition: Sql): Promise<Sums> => {
    const rows = await engine.read<{ row: Row }>(
      [project],
      sql`SELECT tuple(day, provider, model, events, calls, cost, input, output) AS row FROM (
          SELECT intDiv(ts, ${int(DAY_MS)}) AS day, nullIf(provider, '') AS provider, nullIf(model, '') AS model,
            ${events} AS events, ${sums}
          FROM events FINAL WHERE ${projectIs(project)} AND ${condition} GROUP BY day, provider, model)`,
    );
    return new Map(
      rows.map(({ row: [day, provider, model, ...own] }) => [keyOf(day, provider, model), own.map(Number)]),
    );
  };
  const [events, calls] = await Promise.all([read(sql`count()`, IS_EVENT), read(sql`0`, sql`is_call`)]);
  return { events, calls };
}

/** Where a project's events, or the sums of its calls, are not the same in both places. */
export async function compareMoved(
  session: Pick<ReadSession, 'run'>,
  engine: Engine,
  project: number,
): Promise<SumDifference[]> {
  const [file, moved] = [session.run(fileSumsRead, [project], project), await engineSums(engine, project)];
  return [
    ...differencesOf(withoutNothing(file.events), withoutNothing(moved.events)),
    ...differencesOf(withoutNothing(file.calls), withoutNothing(moved.calls)),
  ];
}

/** Sums of nothing are in some places and in others not. Texts that are missing and empty ones are the same. */
function withoutNothing(sums: Sums): Sums {
  const found: Sums = new Map();
  for (const [key, own] of sums) {
    if (own.every((sum) => sum === 0)) continue;
    const [day, provider, model] = JSON.parse(key) as [number, string | null, string | null];
    const plain = keyOf(day, textOrNull(provider), textOrNull(model));
    const known = found.get(plain);
    found.set(
      plain,
      own.map((sum, i) => sum + (known?.[i] ?? 0)),
    );
  }
  return found;
}
