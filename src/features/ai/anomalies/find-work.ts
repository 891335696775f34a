import {
  compareWithUsual,
  DEVIATIONS,
  type Sensitivity,
  type Usual,
  usualOf,
} from '../../../core/alerts/index.ts';
import type { Work } from '../../../http/work/work.ts';
import { ANOMALY_MEASURES, type AnomalyMeasure } from './contract.ts';
import { type HourSeries, type Surprise, surprisesOf } from './surprise.ts';

type Values = readonly (number | null)[];

export type FindInput = {
  readonly series: readonly HourSeries[];
  /** The first hour of the window, as a place in the series. */
  readonly first: number;
  readonly sensitivity: Sensitivity;
};

/** Hours in a row that are unusual; `from` and `to` are places in the series, `to` exclusive. */
export type FoundHours = {
  readonly series: number;
  readonly measure: AnomalyMeasure;
  readonly severity: 'warning' | 'critical';
  readonly from: number;
  readonly to: number;
  readonly peakAt: number;
  readonly peak: number;
  readonly usual: number;
  readonly threshold: number;
  readonly deviations: number;
  readonly calls: number;
};
export type FoundAll = { readonly found: readonly FoundHours[]; readonly isLearning: boolean };

const WEEK_HOURS = 7 * 24;
const WEEKS = 4;
/** Calls in an hour that is judged; of calls themselves, how many are expected. */
const LEAST_CALLS: Readonly<Record<AnomalyMeasure, number>> = {
  cost: 1,
  requests: 10,
  errors: 10,
  latencyP95: 40,
};
const TOTALS: readonly AnomalyMeasure[] = ['cost', 'requests', 'errors'];
/** Of these only a rise is an anomaly. */
const RISING: readonly AnomalyMeasure[] = ['errors', 'latencyP95'];
/** Least difference from what is expected: USD, calls, errors, milliseconds. */
const LEAST_CHANGE: Readonly<Record<AnomalyMeasure, number>> = {
  cost: 0.5,
  requests: 20,
  errors: 5,
  latencyP95: 100,
};
const MOST = 100;

/** Looks for unusual hours: 40,000 medians take some 50 ms. */
export const findAnomaliesWork: Work<FindInput, FoundAll> = {
  name: 'ai.anomalies',
  *run({ series, first, sensitivity }) {
    const found: FoundHours[] = [];
    let isLearning = false;
    for (const [place, values] of series.entries())
      for (const measure of ANOMALY_MEASURES) {
        const hours = findHours(values, { measure, first, sensitivity });
        isLearning ||= place === 0 && hours.isLearning;
        found.push(...hours.found.map((one) => ({ ...one, series: place, measure })));
      }
    found.sort((a, b) => b.deviations - a.deviations);
    yield { found: found.slice(0, MOST), isLearning };
  },
};

type Hours = Omit<FoundHours, 'series' | 'measure'>;

function findHours(
  values: HourSeries,
  {
    measure,
    first,
    sensitivity,
  }: Pick<FindInput, 'first' | 'sensitivity'> & { readonly measure: AnomalyMeasure },
): { readonly found: readonly Hours[]; readonly isLearning: boolean } {
  const [own, requests] = [values[measure], values.requests];
  const isTotal = TOTALS.includes(measure);
  const since = requests.findIndex((calls) => (calls ?? 0) > 0);
  const usuals = own.map((_, at) => (since < 0 ? null : usualAt(own, requests, { at, since, isTotal })));
  const surprises = surprisesOf(values, measure, {
    usuals: usuals.map((usual) => usual?.median ?? null),
    first,
  });
  const found: Hours[] = [];
  for (let at = first; at < own.length; at++) {
    const [value, calls, usual] = [own[at] ?? null, requests[at] ?? 0, usuals[at] ?? null];
    if (value === null || calls === 0 || usual === null) continue;
    // Of few calls, each hour is unlike the others.
    if (calls < LEAST_CALLS[measure] && measure !== 'requests') continue;
    // Beside hours that were all 0, only the number of calls says how unusual it is.
    const isAlone = usual.median === 0 && usual.spread === 0;
    const level = isAlone
      ? 'critical'
      : compareWithUsual(value, usual, { measure, isTotal, sensitivity }).level;
    const surprise = level === 'ok' ? null : surprises(at);
    if (surprise === null || (measure === 'requests' && surprise.expected < LEAST_CALLS.requests)) continue;
    const hour = surprisingHour(value, surprise, { measure, sensitivity, level });
    if (hour !== null)
      add(found, { ...hour, usual: usual.median, from: at, to: at + 1, peakAt: at, peak: value, calls });
  }
  return { found, isLearning: usuals.slice(first).every((usual) => usual === null) };
}

/** What an hour is beside what its calls make likely; null if it is nothing unusual, or too little to matter. */
function surprisingHour(
  value: number,
  { expected, deviations, at }: Surprise,
  {
    measure,
    sensitivity,
    level,
  }: {
    readonly measure: AnomalyMeasure;
    readonly sensitivity: Sensitivity;
    readonly level: 'ok' | 'warning' | 'critical';
  },
): Pick<Hours, 'severity' | 'threshold' | 'deviations'> | null {
  const bound = DEVIATIONS[sensitivity];
  const far = RISING.includes(measure) ? deviations : Math.abs(deviations);
  if (far <= bound || Math.abs(value - expected) < LEAST_CHANGE[measure]) return null;
  const severity = level === 'critical' && far > 2 * bound ? 'critical' : 'warning';
  const crossed = bound * (severity === 'critical' ? 2 : 1) * Math.sign(deviations);
  return { severity, threshold: at(crossed), deviations: far };
}

/** Hours in a row, to the same side, are one. */
function add(found: Hours[], hour: Hours): void {
  const last = found.at(-1);
  if (last?.to !== hour.from || last.peak > last.usual !== hour.peak > hour.usual) {
    found.push(hour);
    return;
  }
  const furthest = hour.deviations > last.deviations ? hour : last;
  const severity = [last.severity, hour.severity].includes('critical') ? 'critical' : 'warning';
  found[found.length - 1] = { ...furthest, severity, from: last.from, to: hour.to };
}

/**
 * The usual value by the same hour of the four weeks before, and the hours beside it. Hours without calls are 0 of a
 * count from the first call on, and say nothing of a time.
 */
function usualAt(
  values: Values,
  requests: Values,
  { at, since, isTotal }: { readonly at: number; readonly since: number; readonly isTotal: boolean },
): Usual | null {
  const weeks = Array.from({ length: WEEKS }, (_, week) =>
    [-1, 0, 1].flatMap((beside) => {
      const place = at - (week + 1) * WEEK_HOURS + beside;
      if (place < since) return [];
      if (isTotal) return [values[place] ?? 0];
      const value = values[place] ?? null;
      return value === null || (requests[place] ?? 0) === 0 ? [] : [value];
    }),
  );
  return usualOf(weeks);
}
