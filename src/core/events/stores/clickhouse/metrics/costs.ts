import { DAY_MS } from '../../../../../lib/time.ts';
import { OTHER } from '../../../metrics.ts';
import type { TagLine, UnpricedModel, UnpricedModels, UnpricedQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
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
  type Row = {
    provider: string | null;
    model: string | null;
    requests: number;
    unpriced: number;
    input_sum: number;
    output_sum: number;
    first: number;
    last: number;
  };
  const rows = await engine.read<Row>(
    projects,
    sql`SELECT nullIf(provider, '') AS provider, nullIf(model, '') AS model, count() AS requests, countIf(${UNPRICED}) AS unpriced,
        sumIf(${INPUT}, ${UNPRICED}) AS input_sum, sumIf(${OUTPUT}, ${UNPRICED}) AS output_sum,
        minIf(ts, ${UNPRICED}) AS first, maxIf(ts, ${UNPRICED}) AS last
      FROM events FINAL WHERE ${inWindow(projects, window)} AND ${selected({ filters, calls: true })} ${unlessGone(filters, [])}
      GROUP BY provider, model ORDER BY unpriced DESC`,
  );
  const models = rows
    .filter(({ unpriced }) => unpriced > 0)
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
