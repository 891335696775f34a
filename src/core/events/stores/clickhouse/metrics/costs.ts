import { DAY_MS } from '../../../../../lib/time.ts';
import { OTHER } from '../../../metrics.ts';
import type { TagLine, UnpricedModel, UnpricedModels, UnpricedQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { namedProvider } from '../../shared/metrics/dimensions.ts';
import type { Engine } from '../engine/engine.ts';
import { sql } from '../engine/sql.ts';
import { INPUT, inWindow, OUTPUT, selected, UNPRICED, unlessGone } from '../reads/conditions.ts';

type Projects = readonly number[];

/** Models that were called without a price, by the number of such calls. */
export async function readUnpriced(
  engine: Engine,
  projects: Projects,
  { window, limit, filters = {} }: UnpricedQuery,
): Promise<UnpricedModels> {
  const rows = await engine.read<UnpricedRow>(
    projects,
    sql`SELECT nullIf(provider, '') AS provider, nullIf(model, '') AS model, count() AS requests, countIf(${UNPRICED}) AS unpriced,
        sumIf(${INPUT}, ${UNPRICED}) AS input_sum, sumIf(${OUTPUT}, ${UNPRICED}) AS output_sum,
        minIf(ts, ${UNPRICED}) AS first, maxIf(ts, ${UNPRICED}) AS last
      FROM events FINAL WHERE ${inWindow(projects, window)} AND ${selected({ filters, calls: true })} ${unlessGone(filters, [])}
      GROUP BY provider, model ORDER BY unpriced DESC`,
  );
  const models = byName(rows)
    .filter(({ unpriced }) => unpriced > 0)
    .sort((a, b) => b.unpriced - a.unpriced)
    .slice(0, limit)
    .map(
      (row): UnpricedModel => ({
        provider: row.provider,
        model: row.model,
        requests: row.requests,
        unpriced: row.unpriced,
        unpricedInputTokens: row.input_sum,
        unpricedOutputTokens: row.output_sum,
        firstSeen: row.first,
        lastSeen: row.last,
      }),
    );
  const sum = (name: 'requests' | 'unpriced'): number => rows.reduce((all, row) => all + row[name], 0);
  return { models, unpriced: sum('unpriced'), requests: sum('requests') };
}

type UnpricedRow = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly requests: number;
  readonly unpriced: number;
  readonly input_sum: number;
  readonly output_sum: number;
  readonly first: number;
  readonly last: number;
};

/** One row of each model and its provider, under the name that figures have for it. */
function byName(rows: readonly UnpricedRow[]): UnpricedRow[] {
  const merged = new Map<string, UnpricedRow>();
  for (const row of rows) {
    const provider = namedProvider(row.provider);
    const id = JSON.stringify([provider, row.model]);
    const known = merged.get(id);
    merged.set(id, { ...(known === undefined ? row : bothOf(known, row)), provider });
  }
  return [...merged.values()];
}

function bothOf(a: UnpricedRow, b: UnpricedRow): UnpricedRow {
  const seen = [a, b].filter(({ unpriced }) => unpriced > 0);
  return {
    ...a,
    requests: a.requests + b.requests,
    unpriced: a.unpriced + b.unpriced,
    input_sum: a.input_sum + b.input_sum,
    output_sum: a.output_sum + b.output_sum,
    first: Math.min(...seen.map(({ first }) => first)),
    last: Math.max(...seen.map(({ last }) => last)),
  };
}

/** The tags of calls on the days of a window, by number of calls, each with its most frequent values. */
export async function readTags(
  engine: Engine,
  projects: Projects,
  { window, values: most }: { readonly window: Window; readonly values: number },
): Promise<TagLine[]> {
  const days = {
    from: Math.floor(window.from / DAY_MS) * DAY_MS,
    to: Math.ceil(window.to / DAY_MS) * DAY_MS,
  };
  const rows = await engine.read<{ name: string; value: string; calls: number }>(
    projects,
    sql`SELECT tag.1 AS name, tag.2 AS value, count() AS calls FROM events FINAL ARRAY JOIN CAST(tags, 'Array(Tuple(String, String))') AS tag
      WHERE ${inWindow(projects, days)} AND is_call AND value != '' GROUP BY name, value ORDER BY calls DESC`,
  );
  const lines = [
    ...Map.groupBy(
      rows.filter(({ value }) => value !== OTHER),
      ({ name }) => name,
    ),
  ].map(([name, own]) => ({
    name,
    calls: own.reduce((all, { calls }) => all + calls, 0),
    count: own.length,
    values: own.slice(0, most).map(({ value }) => value),
  }));
  return lines.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}
