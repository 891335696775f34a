import { badRequest } from '../../../../../errors.ts';
import type { Contrast, ContrastQuery } from '../../../contrast.ts';
import type { Window } from '../../../selection.ts';
import { compareWindows, isRatioMeasure, type WindowPart } from '../../shared/contrast/compare-windows.ts';
import { type ComparedCall, toPart } from '../../shared/contrast/compared-calls.ts';
import type { Engine } from '../engine/engine.ts';
import { float, int, raw, type Sql, sql } from '../engine/sql.ts';
import { ERROR_GROUP, FAILED, IS_EVENT, inWindow, selected } from '../reads/conditions.ts';
import { SUMS } from './read-calls.ts';

/** Most calls of one window, all of which are fetched. */
const MAX_CALLS = 500_000;

/**
 * Compares two windows in every dimension, see `compareWindows`.
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
  const parts: readonly WindowPart[] = [toPart('window', after), toPart('baseline', before)];
  return compareWindows({ ...query, isRatio: isRatioMeasure(query.measure) }, () => parts);
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
): Promise<ComparedCall[]> {
  const [part, whole] = valuesOf(measure);
  const rows = await engine.read<ComparedCall>(
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
