import { badRequest } from '../../../../../errors.ts';
import { ratioBefore } from '../../../../../lib/shift.ts';
import type { Contrast, ContrastDimension, ContrastQuery } from '../../../contrast.ts';
import type { Window } from '../../../selection.ts';
import { chooseCandidates, comparisonOf } from '../../shared/contrast/candidates.ts';
import { addToCells, createCells, toCells } from '../../shared/contrast/cells.ts';
import {
  AFTER,
  addToTally,
  BEFORE,
  createTally,
  toSides,
  type WindowOffset,
} from '../../shared/contrast/tally.ts';
import type { Having, RowValues, Source } from '../../shared/contrast/values.ts';
import type { Engine } from '../engine/engine.ts';
import { float, int, raw, type Sql, sql } from '../engine/sql.ts';
import { ERROR_GROUP, FAILED, IS_EVENT, inWindow, selected } from '../reads/conditions.ts';
import { SUMS } from './read-calls.ts';

/** Most calls of one window, all of which are fetched. */
const MAX_CALLS = 500_000;

/** A call: what it adds, and its value in each dimension. */
type Call = {
  readonly part: number;
  readonly whole: number;
  readonly model: string | null;
  readonly provider: string | null;
  readonly environment: string;
  readonly user: string | null;
  readonly error: string | null;
  readonly release: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly prompt: string | null;
  readonly version: string | null;
  readonly key: string | null;
  readonly labels: Readonly<Record<string, string>>;
};

/** The dimensions of one value each. */
const DIMENSIONS = [
  ['model', 'model'],
  ['provider', 'provider'],
  ['environment', 'environment'],
  ['user', 'userId'],
  ['error', 'errorCode'],
  ['release', 'release'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['prompt', 'promptName'],
  ['version', 'promptVersion'],
  ['key', 'keyId'],
] as const satisfies readonly (readonly [keyof Call, ContrastDimension])[];

/**
 * Compares two windows in every dimension: sums the calls by value, chooses candidates, and sums the calls again by
 * the combination of candidates that they have.
 * @throws AppError 400 if a window has too many calls
 */
export async function readContrast(
  engine: Engine,
  projects: readonly number[],
  query: ContrastQuery,
): Promise<Contrast> {
  const [after, before] = await Promise.all([
    readCalls(engine, projects, query, query.window),
    readCalls(engine, projects, query, query.baseline),
  ]);
  const parts: readonly (readonly [WindowOffset, Rows])[] = [
    [AFTER, toRows(after)],
    [BEFORE, toRows(before)],
  ];
  const tally = createTally();
  for (const [offset, rows] of parts) addToTally(tally, offset, rows.sources, rows);
  const totals = toSides(tally.totals);
  const comparison = comparisonOf(query, totals);
  const { groups, candidates } = chooseCandidates(tally, comparison, query.values);
  const cells = createCells(candidates);
  const average = comparison.isRatio ? ratioBefore(comparison) : 0;
  for (const [offset, rows] of parts) addToCells(cells, { offset, average }, rows.sources, rows);
  return { totals, groups, candidates: candidates.slice(0, cells.bits), cells: toCells(cells) };
}

/** What a call adds to the part and the whole of a measure. */
function valuesOf(measure: ContrastQuery['measure']): readonly [part: Sql, whole: Sql] {
  if ('of' in measure) {
    const column = raw(measure.of === 'latency' ? 'latency_ms' : 'ttft_ms');
    return [sql`countIf(${column} > ${float(measure.overMs)})`, sql`countIf(${column} IS NOT NULL)`];
  }
  return [SUMS[measure.part], measure.whole === null ? raw('0') : SUMS[measure.whole]];
}

async function readCalls(
  engine: Engine,
  projects: readonly number[],
  { filters, measure }: ContrastQuery,
  window: Window,
): Promise<Call[]> {
  const [part, whole] = valuesOf(measure);
  const rows = await engine.read<Call>(
    projects,
    sql`SELECT ${part} AS part, ${whole} AS whole, model, provider, environment, user_id AS user,
        if(${FAILED}, ${ERROR_GROUP}, NULL) AS error, release, agent, tool, prompt_name AS prompt,
        if(prompt_version IS NULL, NULL, concat(prompt_name, '@', prompt_version)) AS version, key_id AS key, tags AS labels
      FROM events FINAL WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected({ filters, calls: true })}
      GROUP BY project, ts, event_id, model, provider, environment, user, error, release, agent, tool, prompt, version,
        key, labels LIMIT ${int(MAX_CALLS + 1)}`,
  );
  if (rows.length <= MAX_CALLS) return rows;
  throw badRequest(
    `start: at most ${MAX_CALLS.toLocaleString('en-US')} calls of a window are compared; choose less time`,
  );
}

type Rows = RowValues & { readonly mask: Uint8Array; readonly sources: readonly Source[] };

const toRows = (calls: readonly Call[]): Rows => ({
  mask: new Uint8Array(calls.length).fill(1),
  parts: Float64Array.from(calls, ({ part }) => part),
  wholes: Float64Array.from(calls, ({ whole }) => whole),
  sources: [
    ...DIMENSIONS.map(([column, dimension]) =>
      sourceOf(
        calls,
        (call) => call[column] ?? '',
        (value) => (value === '' ? [] : [[dimension, value]]),
      ),
    ),
    sourceOf(
      calls,
      ({ labels }) => JSON.stringify(labels),
      (json) =>
        Object.entries(JSON.parse(json) as Record<string, string>).flatMap(([name, value]): Having[] =>
          value === '' ? [] : [[`tag:${name}`, value]],
        ),
    ),
  ],
});

/** A code per call for a text of it, and what a code stands for. */
function sourceOf(
  calls: readonly Call[],
  textOf: (call: Call) => string,
  having: (text: string) => readonly Having[],
): Source {
  const known = new Map<string, number>();
  const values: (readonly Having[])[] = [];
  const codes = Uint32Array.from(calls, (call) => {
    const text = textOf(call);
    const code = known.get(text) ?? values.push(having(text)) - 1;
    known.set(text, code);
    return code;
  });
  return { codes, valuesOf: (code) => values[code] ?? [] };
}
