import type { Reader, ReadOp } from '../../../db/reader.ts';
import { comparePairs, type Pairs } from '../../../lib/stats/compare-pairs.ts';
import { meanInterval } from '../../../lib/stats/mean-interval.ts';
import type { ComparedMetric, ExperimentDetail, Metric } from '../contract.ts';
import type { Direction } from './directions.ts';

/** What figures are asked for. */
export type FiguresWanted = {
  readonly id: string;
  readonly baselineId: string | null;
  /** Which values are good, by the name of the score. Default: high ones. */
  readonly directions: Readonly<Record<string, Direction>>;
};

export type Figures = Pick<
  ExperimentDetail,
  'runs' | 'costUsd' | 'taskCostUsd' | 'unpriced' | 'failedScores' | 'metrics'
> & { readonly compared: readonly ComparedMetric[] };

/** Makes the intervals of an experiment the same each time. */
const SEED = 20;

/** Means, intervals and the comparison of an experiment. */
export const readFigures: ReadOp<FiguresWanted, Figures> = {
  name: 'experiments.figures',
  run(reader, { id, baselineId, directions }) {
    const series = readSeries(reader, id, directions);
    const baseline = baselineId === null ? [] : readSeries(reader, baselineId, directions);
    return {
      ...readTotals(reader, id),
      metrics: series.flatMap(({ name, kind, direction, values }): Metric[] => {
        const interval = meanInterval([...values.values()], SEED);
        return interval === null ? [] : [{ name, kind, direction, ...interval }];
      }),
      compared: compare(series, baseline),
    };
  },
};

/** The values of a metric by item: the mean of its repetitions. */
type Series = Pick<Metric, 'name' | 'kind' | 'direction'> & { readonly values: ReadonlyMap<string, number> };

type ItemRow = { name: string; item: string; value: number };

function readSeries(reader: Reader, id: string, directions: FiguresWanted['directions']): Series[] {
  const scores = reader.all<ItemRow>(
    `SELECT name, item_id AS item, avg(value) AS value FROM experiment_scores
     WHERE experiment_id = ? AND value IS NOT NULL GROUP BY name, item_id ORDER BY name, item_id`,
    [id],
  );
  const runs = reader.all<{ item: string; cost: number | null; latency: number | null; failures: number }>(
    `SELECT item_id AS item, avg(cost_nano) / 1e9 AS cost, avg(latency_ms) AS latency, avg(state = 'failed') AS failures
     FROM experiment_runs WHERE experiment_id = ? AND state IN ('done', 'failed') GROUP BY item_id ORDER BY item_id`,
    [id],
  );
  const of = (pick: (row: (typeof runs)[number]) => number | null): ReadonlyMap<string, number> =>
    new Map(
      runs.flatMap((row) => {
        const value = pick(row);
        return value === null ? [] : [[row.item, value] as const];
      }),
    );
  return [
    ...[...Map.groupBy(scores, ({ name }) => name)].map(
      ([name, rows]): Series => ({
        name,
        kind: 'score',
        direction: directions[name] ?? 'higher',
        values: new Map(rows.map(({ item, value }) => [item, value])),
      }),
    ),
    ...readCategories(reader, id),
    { name: 'cost', kind: 'cost', direction: 'lower', values: of(({ cost }) => cost) },
    { name: 'latency', kind: 'latency', direction: 'lower', values: of(({ latency }) => latency) },
    { name: 'failures', kind: 'failures', direction: 'lower', values: of(({ failures }) => failures) },
  ];
}

/** Most categories of a score that have a share of their own: the most frequent ones. */
const MOST_CATEGORIES = 10;

/** The share of each category of a score, in the order of their frequency. */
function readCategories(reader: Reader, id: string): Series[] {
  const rows = reader.all<{ name: string; category: string; item: string; times: number }>(
    `SELECT name, category, item_id AS item, count(*) AS times FROM experiment_scores
     WHERE experiment_id = ? AND category IS NOT NULL GROUP BY name, item_id, category ORDER BY name, item_id`,
    [id],
  );
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, given]) => {
    const all = Map.groupBy(given, ({ item }) => item);
    const totals = new Map(
      [...all].map(([item, list]) => [item, list.reduce((sum, { times }) => sum + times, 0)]),
    );
    const byCategory = [...Map.groupBy(given, ({ category }) => category)];
    return byCategory
      .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
      .slice(0, MOST_CATEGORIES)
      .map(([category, list]): Series => {
        const times = new Map(list.map((row) => [row.item, row.times]));
        const share = ([item, total]: readonly [string, number]) =>
          [item, (times.get(item) ?? 0) / total] as const;
        return {
          name: `${name}=${category}`,
          kind: 'score',
          direction: 'none',
          values: new Map([...totals].map(share)),
        };
      });
  });
}

function compare(series: readonly Series[], baseline: readonly Series[]): ComparedMetric[] {
  const both = series.flatMap((one) => {
    const base = baseline.find(({ name, kind }) => name === one.name && kind === one.kind);
    if (base === undefined) return [];
    const pairs = [...one.values].flatMap(([item, value]) => {
      const before = base.values.get(item);
      return before === undefined ? [] : [[value, before] as const];
    });
    return [{ name: one.name, kind: one.kind, direction: one.direction, pairs }];
  });
  const compared = comparePairs(both satisfies readonly Pairs[], SEED);
  return compared.map((one, i) => {
    const { kind = 'score', pairs = [] } = both[i] ?? {};
    const sum = pairs.reduce((total, [, before]) => total + before, 0);
    return { ...one, kind, baseline: pairs.length === 0 ? null : sum / pairs.length };
  });
}

function readTotals(
  reader: Reader,
  id: string,
): Pick<Figures, 'runs' | 'costUsd' | 'taskCostUsd' | 'unpriced' | 'failedScores'> {
  const states = reader.all<{ state: keyof Figures['runs']; runs: number; nano: number; unpriced: number }>(
    `SELECT state, count(*) AS runs, coalesce(sum(cost_nano), 0) AS nano,
       sum(cost_nano IS NULL AND state IN ('done', 'failed') AND event_id IS NOT NULL) AS unpriced
     FROM experiment_runs WHERE experiment_id = ? GROUP BY state`,
    [id],
  );
  const [scores] = reader.all<{ nano: number; unpriced: number; failed: number }>(
    `SELECT coalesce(sum(cost_nano), 0) AS nano, coalesce(sum(cost_nano IS NULL AND event_id IS NOT NULL), 0) AS unpriced,
       coalesce(sum(error IS NOT NULL), 0) AS failed
     FROM experiment_scores WHERE experiment_id = ?`,
    [id],
  );
  const runs = { waiting: 0, judging: 0, done: 0, failed: 0 };
  for (const row of states) runs[row.state] = row.runs;
  const task = states.reduce((sum, { nano }) => sum + nano, 0);
  return {
    runs,
    costUsd: (task + (scores?.nano ?? 0)) / 1e9,
    taskCostUsd: task / 1e9,
    unpriced: states.reduce((sum, { unpriced }) => sum + unpriced, 0) + (scores?.unpriced ?? 0),
    failedScores: scores?.failed ?? 0,
  };
}
