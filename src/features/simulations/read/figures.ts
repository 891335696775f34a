import type { Reader, ReadOp } from '../../../db/reader.ts';
import type { Outcome } from '../../../lib/simulations/definition.ts';
import { summarizeOutcomes } from '../../../lib/simulations/summarize.ts';
import { comparePairs, type Pairs } from '../../../lib/stats/compare-pairs.ts';
import { meanInterval } from '../../../lib/stats/mean-interval.ts';
import type { ComparedMetric, Metric, ScenarioResult, SimulationRunDetail } from '../runs/contract.ts';

/** What figures are asked for. */
export type FiguresWanted = { readonly id: string; readonly baselineId: string | null };

export type Figures = Pick<
  SimulationRunDetail,
  'counts' | 'passRate' | 'costUsd' | 'targetCostUsd' | 'unknownCosts' | 'scenarios' | 'metrics'
> & { readonly compared: readonly ComparedMetric[] };

/** Makes the intervals of a run the same each time. */
const SEED = 24;

/** Pass rates, costs and latencies of a run, by scenario, beside those of another one. */
export const readFigures: ReadOp<FiguresWanted, Figures> = {
  name: 'simulations.figures',
  run(reader, { id, baselineId }) {
    const rows = readScenarios(reader, id);
    const before = baselineId === null ? null : readScenarios(reader, baselineId);
    const { passRate, scenarios } = summarizeOutcomes(rows.flatMap(outcomesOf));
    const summaries = new Map(scenarios.map((one) => [one.scenario, one]));
    const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
    return {
      counts: {
        waiting: sum(({ waiting }) => waiting),
        running: sum(({ running }) => running),
        passed: sum(({ passed }) => passed),
        failed: sum(({ failed }) => failed),
        lost: sum(({ lost }) => lost),
      },
      passRate,
      costUsd: sum(({ nano }) => nano) / 1e9,
      targetCostUsd: sum(({ targetNano }) => targetNano) / 1e9,
      unknownCosts: sum(({ unknown }) => unknown),
      scenarios: rows.map((row): ScenarioResult => {
        const { passRate: rate = null, isFlaky = false } = summaries.get(row.scenario) ?? {};
        const { scenario, planned, passed, failed, lost, latency, failure } = row;
        return {
          ...{
            scenario,
            planned,
            passed,
            failed,
            lost,
            passRate: rate,
            isFlaky,
            latencyMs: latency,
            failure,
          },
          costUsd: row.nano / 1e9,
          change:
            before === null
              ? null
              : changeOf(
                  row,
                  before.find((one) => one.scenario === scenario),
                ),
        };
      }),
      metrics: metricsOf(rows, passRate),
      compared: before === null ? [] : compare(rows, before),
    };
  },
};

type Row = {
  readonly scenario: string;
  readonly planned: number;
  readonly waiting: number;
  readonly running: number;
  readonly passed: number;
  readonly failed: number;
  readonly lost: number;
  readonly nano: number;
  readonly targetNano: number;
  readonly unknown: number;
  /** Mean of an answer. */
  readonly latency: number | null;
  readonly failure: string | null;
};

const readScenarios = (reader: Reader, id: string): Row[] =>
  reader.all<Row>(
    `SELECT scenario, count(*) AS planned, sum(state = 'waiting') AS waiting, sum(state = 'running') AS running,
       coalesce(sum(outcome = 'passed'), 0) AS passed, coalesce(sum(outcome = 'failed'), 0) AS failed,
       coalesce(sum(outcome = 'lost'), 0) AS lost,
       coalesce(sum(cost_nano), 0) AS nano, coalesce(sum(target_cost_nano), 0) AS targetNano,
       sum(unknown_costs) AS "unknown",
       sum(iif(state = 'done', latency_ms, NULL)) / nullif(sum(iif(state = 'done', turns, 0)), 0) AS latency,
       (SELECT failure FROM simulation_conversations AS f WHERE f.run_id = ?1 AND f.scenario = c.scenario
         AND f.outcome = 'failed' ORDER BY f.no LIMIT 1) AS failure
     FROM simulation_conversations AS c WHERE run_id = ?1 GROUP BY place ORDER BY place`,
    [id],
  );

const outcomesOf = ({ scenario, passed, failed, lost }: Row) =>
  Object.entries({ passed, failed, lost }).map(([outcome, count]) => ({
    scenario,
    outcome: outcome as Outcome,
    count,
  }));

const ended = ({ passed, failed }: Row): number => passed + failed;
const rateOf = (row: Row): number | null => (ended(row) === 0 ? null : row.passed / ended(row));

function changeOf(row: Row, before: Row | undefined): ScenarioResult['change'] {
  const [now, then] = [rateOf(row), before === undefined ? null : rateOf(before)];
  if (then === null) return 'new';
  if (now === null || now === then) return 'same';
  if (now === 1) return 'fixed';
  if (then === 1) return 'broken';
  return now > then ? 'better' : 'worse';
}

/** A figure of each scenario that has it. */
const valuesOf = (rows: readonly Row[], of: (row: Row) => number | null): Map<string, number> =>
  new Map(
    rows.flatMap((row) => {
      const value = of(row);
      return value === null ? [] : [[row.scenario, value] as const];
    }),
  );

const SERIES = [
  { name: 'passRate', kind: 'score', direction: 'higher', of: rateOf },
  {
    name: 'cost',
    kind: 'cost',
    direction: 'lower',
    of: (row: Row) => (ended(row) + row.lost === 0 ? null : row.nano / 1e9 / (ended(row) + row.lost)),
  },
  { name: 'latency', kind: 'latency', direction: 'lower', of: ({ latency }: Row) => latency },
  {
    name: 'flaky',
    kind: 'score',
    direction: 'lower',
    of: (row: Row) => (ended(row) === 0 ? null : Number(row.passed > 0 && row.failed > 0)),
  },
] as const;

function metricsOf(rows: readonly Row[], passRate: Figures['passRate']): Metric[] {
  return SERIES.flatMap(({ name, kind, direction, of }): Metric[] => {
    const interval = name === 'passRate' ? passRate : meanInterval([...valuesOf(rows, of).values()], SEED);
    return interval == null ? [] : [{ name, kind, direction, ...interval }];
  });
}

/** By scenarios: the repetitions of one are not independent. */
function compare(rows: readonly Row[], before: readonly Row[]): ComparedMetric[] {
  const both = SERIES.map(({ name, kind, direction, of }) => {
    const base = valuesOf(before, of);
    const pairs = [...valuesOf(rows, of)].flatMap(([scenario, value]) => {
      const then = base.get(scenario);
      return then === undefined ? [] : [[value, then] as const];
    });
    return { name, kind, direction, pairs };
  });
  return comparePairs(both satisfies readonly Pairs[], SEED).map((one, i) => {
    const { name = 'passRate', kind = 'score', pairs = [] } = both[i] ?? {};
    const sum = pairs.reduce((total, [, then]) => total + then, 0);
    return { ...one, name, kind, baseline: pairs.length === 0 ? null : sum / pairs.length };
  });
}
