import { proportionInterval } from '../stats/proportion-interval.ts';
import type { Outcome } from './definition.ts';

/** A share with its 95 % interval. */
export type Share = {
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
};

export type ScenarioSummary = {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
  readonly lost: number;
  /** Null while no repetition has an outcome. */
  readonly passRate: Share | null;
  /** Some repetitions pass and others do not. */
  readonly isFlaky: boolean;
};

type Counted = { readonly scenario: string; readonly outcome: Outcome; readonly count: number };

/** Pass rates of scenarios, in the order in which they come up, and of all of them. Lost conversations do not count. */
export function summarizeOutcomes(outcomes: readonly Counted[]): {
  readonly passRate: Share | null;
  readonly scenarios: readonly ScenarioSummary[];
} {
  const scenarios = [...byScenario(outcomes)].map(([scenario, rows]): ScenarioSummary => {
    const count = (wanted: Outcome): number =>
      rows.reduce((sum, { outcome, count: one }) => sum + (outcome === wanted ? one : 0), 0);
    const [passed, failed, lost] = [count('passed'), count('failed'), count('lost')];
    return {
      scenario,
      passed,
      failed,
      lost,
      passRate: proportionInterval([{ passed, all: passed + failed }]),
      isFlaky: passed > 0 && failed > 0,
    };
  });
  const cases = scenarios.map(({ passed, failed }) => ({ passed, all: passed + failed }));
  return { passRate: proportionInterval(cases), scenarios };
}

// Without Map.groupBy, which Node 20 does not have.
function byScenario(outcomes: readonly Counted[]): Map<string, Counted[]> {
  const groups = new Map<string, Counted[]>();
  for (const one of outcomes) {
    const group = groups.get(one.scenario);
    if (group === undefined) groups.set(one.scenario, [one]);
    else group.push(one);
  }
  return groups;
}
