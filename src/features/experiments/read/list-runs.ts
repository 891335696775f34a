import type { Ctx } from '../../../context.ts';
import { getItems } from '../../../core/datasets/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import type { ExperimentRun, RunState } from '../contract.ts';
import { findRow } from '../queries.ts';
import { directionsOf } from './directions.ts';
import { findBaseline } from './summarize.ts';

type Asked = {
  readonly baselineId: string | null;
  readonly only?: 'failed' | 'better' | 'worse' | 'same' | undefined;
  readonly metric?: string | undefined;
  /** Low values of the metric are good. */
  readonly isLower: boolean;
  readonly after: readonly [no: number, repetition: number];
  readonly limit: number;
};

type Row = {
  no: number;
  repetition: number;
  item_id: string;
  state: RunState;
  output: string | null;
  error: string | null;
  trace_id: string | null;
  latency_ms: number | null;
  cost_nano: number | null;
};
type RunParts = Omit<ExperimentRun, 'input' | 'expectedOutput'>;

const COLUMNS = 'no, repetition, item_id, state, output, error, trace_id, latency_ms, cost_nano';
const score = (experiment: string): string =>
  `(SELECT avg(iif(category IS NULL, value, category = ?8)) FROM experiment_scores
    WHERE experiment_id = ${experiment} AND name = ?5 AND item_id = r.item_id)`;

/** How the metric of an item must compare with the baseline. */
const CONDITIONS = {
  failed: "r.state = 'failed'",
  better: `(${score('?1')} - ${score('?4')}) * ?6 > 0`,
  worse: `(${score('?1')} - ${score('?4')}) * ?6 < 0`,
  same: `${score('?1')} = ${score('?4')}`,
} as const;

/** A page of runs beside those of the baseline. */
export const listRunsRead: ReadOp<Asked & { readonly id: string }, RunParts[]> = {
  name: 'experiments.runs',
  run(reader, { id, baselineId, only, metric, isLower, after, limit }) {
    // Names of scores have no `=`.
    const [name, ...category] = metric?.split('=') ?? [];
    const rows = reader.all<Row>(
      `SELECT ${COLUMNS} FROM experiment_runs AS r
       WHERE experiment_id = ?1 AND (no, repetition) > (?2, ?3) AND ?4 IS ?4 AND ?5 IS ?5 AND ?6 IS ?6 AND ?8 IS ?8
         AND ${only === undefined ? 'TRUE' : CONDITIONS[only]}
       ORDER BY no, repetition LIMIT ?7`,
      [id, after[0], after[1], baselineId, name ?? null, isLower ? -1 : 1, limit, category.join('=') || null],
    );
    return rows.map((row) => ({
      itemId: row.item_id,
      no: row.no,
      repetition: row.repetition,
      ...fieldsOf(reader, id, row),
      baseline: baselineId === null ? null : baselineOf(reader, baselineId, row),
    }));
  },
};

function baselineOf(reader: Reader, id: string, { item_id, repetition }: Row): RunParts['baseline'] {
  const [row] = reader.all<Row>(
    `SELECT ${COLUMNS} FROM experiment_runs WHERE experiment_id = ? AND item_id = ? AND repetition = ?`,
    [id, item_id, repetition],
  );
  return row === undefined ? null : fieldsOf(reader, id, row);
}

function fieldsOf(reader: Reader, id: string, row: Row): NonNullable<RunParts['baseline']> {
  return {
    state: row.state,
    output: row.output === null ? null : JSON.parse(row.output),
    error: row.error,
    traceId: row.trace_id,
    latencyMs: row.latency_ms,
    costUsd: row.cost_nano === null ? null : row.cost_nano / 1e9,
    scores: reader.all(
      'SELECT name, coalesce(category, value) AS value, comment, error FROM experiment_scores WHERE experiment_id = ? AND no = ? AND repetition = ? ORDER BY name',
      [id, row.no, row.repetition],
    ),
  };
}

type Query = {
  readonly id: string;
  readonly baselineId?: string | undefined;
  readonly only?: Asked['only'];
  readonly metric?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** A page of results with the content of their items. Throws AppError 400, 404. */
export async function listRuns(
  ctx: Ctx,
  scope: ProjectScope,
  { id, only, metric, cursor, limit, ...query }: Query,
): Promise<{ items: ExperimentRun[]; nextCursor: string | null }> {
  const { projectId } = scope;
  const experiment = await findRow(ctx, projectId, id);
  const isAsked = query.baselineId !== undefined;
  const baseline = await findBaseline(ctx, projectId, query.baselineId ?? experiment.baselineId, isAsked);
  if (only !== undefined && only !== 'failed' && (metric === undefined || baseline === null))
    throw badRequest(`only: ${only} needs metric, the name of a score, and a baseline`);
  const isLower = (await directionsOf(ctx, experiment))[metric ?? ''] === 'lower';
  const after = positionOf(cursor);
  const asked = { id, baselineId: baseline?.id ?? null, only, metric, isLower, after, limit: limit + 1 };
  const found = (await ctx.db.read(listRunsRead, ofProjects([scope]), asked)).parse();
  const page = found.slice(0, limit);
  const place = { datasetId: experiment.datasetId, version: experiment.datasetVersion };
  const nos = [...new Set(page.map((run) => run.no))];
  const items = (await ctx.db.read(getItems, ofProjects([scope]), { ...place, nos })).parse();
  const byNo = new Map(items.map((item) => [item.no, item]));
  const last = page.at(-1);
  return {
    items: page.map((run) => ({
      ...run,
      input: byNo.get(run.no)?.input ?? null,
      expectedOutput: byNo.get(run.no)?.expectedOutput ?? null,
    })),
    nextCursor: found.length > limit && last !== undefined ? `${last.no}.${last.repetition}` : null,
  };
}

function positionOf(cursor: string | undefined): readonly [number, number] {
  if (cursor === undefined) return [0, 0];
  const [, no, repetition] = /^(\d{1,12})\.(\d{1,3})$/.exec(cursor) ?? [];
  if (no === undefined) throw badRequest('cursor was not returned by this endpoint');
  return [Number(no), Number(repetition)];
}
