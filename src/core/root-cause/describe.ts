import { changeOf, compactText, percentText, pointsOf, unitText } from '../../lib/figures.ts';
import { effectsOf } from '../../lib/shift.ts';
import type { Side, Sides } from '../events/index.ts';
import type { RootCause } from './contract.ts';
import type { Figures } from './figures.ts';
import { type CallMeasure, scoreNoun } from './measures.ts';

type Measure = RootCause['measure'];

/** Names of measures in sentences. */
const NOUNS: Readonly<Record<CallMeasure, string>> = {
  cost: 'cost',
  requests: 'number of calls',
  errors: 'number of errors',
  errorRate: 'error rate',
  timeouts: 'number of timeouts',
  timeoutRate: 'timeout rate',
  rateLimited: 'number of rate limits',
  unpriced: 'number of unpriced calls',
  inputTokens: 'number of input tokens',
  outputTokens: 'number of output tokens',
  cacheRate: 'cache rate',
  latencyAvg: 'average latency',
  latencyP50: 'median latency',
  latencyP90: 'p90 latency',
  latencyP95: 'p95 latency',
  latencyP99: 'p99 latency',
  ttftAvg: 'time to first token',
  ttftP50: 'median time to first token',
  ttftP95: 'p95 time to first token',
  ttftP99: 'p99 time to first token',
  tokensPerSec: 'output speed',
};

const nounOf = (measure: Measure): string => scoreNoun(measure) ?? NOUNS[measure as CallMeasure];

/** What changed for some calls: their value per call, or their number. */
export function reasonOf(figures: Figures, measure: Measure, sides: Sides): string {
  const { comparison } = figures;
  const { own, volume } = effectsOf(comparison, sides);
  const isNew = sides.before.calls === 0;
  const arrow = (text: (side: Side) => string): string =>
    isNew ? text(sides.after) : `${text(sides.before)} → ${text(sides.after)}`;
  const start = isNew ? 'new in this window, ' : '';
  if (Math.abs(own) >= Math.abs(volume)) return `${start}${ownText(figures, measure, arrow)}`;
  const things = thingsOf(measure);
  if (!comparison.isRatio) return `${start}${arrow((side) => `${compactText(side.calls)} ${things}`)}`;
  const { totals } = comparison;
  const fraction = (side: Side): string => {
    const all = side === sides.after ? totals.after : totals.before;
    return percentText(all.calls === 0 ? 0 : side.calls / all.calls);
  };
  return `${start}share of ${things} ${arrow(fraction)}`;
}

/** What is counted. */
const thingsOf = (measure: Measure): string => (scoreNoun(measure) === null ? 'calls' : 'scores');

function ownText(
  { measure: def, comparison }: Figures,
  measure: Measure,
  arrow: (text: (side: Side) => string) => string,
): string {
  const ratio = ({ part, whole }: Side): number => (whole === 0 ? 0 : part / whole);
  if (def.kind === 'percentile') return `share of slow calls ${arrow((side) => percentText(ratio(side)))}`;
  if (comparison.isRatio)
    return `${nounOf(measure)} ${arrow((side) => unitText(ratio(side) * def.factor, def.unit))}`;
  const perCall = ({ part, calls }: Side): number => (calls === 0 ? 0 : (part * def.factor) / calls);
  if (def.unit === 'calls' || def.unit === 'scores')
    return `share of calls ${arrow((side) => percentText(perCall(side)))}`;
  return `${nounOf(measure).replace('number of ', '')} per call ${arrow((side) => unitText(perCall(side), def.unit))}`;
}

type Told = Pick<RootCause, 'measure' | 'unit' | 'window' | 'baseline' | 'status' | 'causes' | 'change'>;

/** The result in a sentence or two. */
export function summaryOf(told: Told): string {
  const { measure, status, window, baseline, unit, causes } = told;
  const noun = nounOf(measure);
  const things = thingsOf(measure);
  if (status === 'no_calls')
    return `The window has no ${things === 'calls' ? 'calls that have this measure' : 'such scores'}.`;
  if (status === 'no_baseline')
    return `There is nothing to compare with: the baseline has no ${things}${window.value === null ? '' : `; the ${noun} of the window is ${unitText(window.value, unit)}`}.`;
  const [from, to] = [baseline.value ?? 0, window.value ?? 0];
  if (status === 'unchanged') return `The ${noun} did not change: ${unitText(to, unit)}.`;
  const change = unit === 'fraction' ? pointsOf(to, from) : changeOf(to, from);
  const verb = to > from ? 'rose' : 'fell';
  const first = `The ${noun} ${verb} from ${unitText(from, unit)} to ${unitText(to, unit)}${change === null ? '' : ` (${change.text})`}.`;
  return `${first} ${explanationOf(told, causes)}`;
}

function explanationOf({ status, measure }: Told, causes: RootCause['causes']): string {
  if (status === 'unclear')
    return `No ${thingsOf(measure)} stand out: the change is small, or chance may explain it.`;
  const [cause, second] = causes;
  if (cause === undefined) return '';
  // Others changed the other way.
  const shareOf = ({ share }: { share: number | null }): string =>
    (share ?? 0) > 1 ? 'more than all' : percentText(share ?? 0);
  const spread = `All ${thingsOf(measure)} changed alike: ${cause.reason}.`;
  const main =
    cause.values.length === 0
      ? spread
      : `${upper(cause.label)} explains ${shareOf(cause)} of it: ${cause.reason}.`;
  if (second === undefined || second.values.length === 0) return main;
  return `${main} ${upper(second.label)} explains ${shareOf(second)}: ${second.reason}.`;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
