import { compareWithUsual, type Sensitivity, type Usual, usualOf } from '../../../core/alerts/index.ts';
import type { Work } from '../../../http/work/work.ts';
import { ANOMALY_MEASURES, type AnomalyMeasure } from './contract.ts';

type Values = readonly (number | null)[];

/** Values of some calls by hour, from the first week that is compared with on. */
export type HourSeries = Readonly<Record<AnomalyMeasure, Values>>;

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
/** Calls in an hour that is judged. */
const LEAST_CALLS = 10;
const TOTALS: readonly AnomalyMeasure[] = ['cost', 'requests', 'errors'];
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
  const found: Hours[] = [];
  let known = 0;
  for (let at = first; at < own.length; at++) {
    const [value, calls] = [own[at] ?? null, requests[at] ?? 0];
    const usual = usualAt(own, requests, at);
    if (usual !== null) known++;
    if (value === null || calls === 0 || usual === null) continue;
    // Of few calls, each hour is unlike the others. A fall of calls counts by what is usual.
    if (Math.max(calls, measure === 'requests' ? usual.median : 0) < LEAST_CALLS) continue;
    const { level, threshold, deviations } = compareWithUsual(value, usual, {
      measure,
      isTotal,
      sensitivity,
    });
    if (level === 'ok') continue;
    add(found, {
      severity: level,
      from: at,
      to: at + 1,
      peakAt: at,
      peak: value,
      usual: usual.median,
      threshold,
      deviations,
      calls,
    });
  }
  return { found, isLearning: known === 0 };
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

/** The usual value by the same hour of the four weeks before, and the hours beside it. */
function usualAt(values: Values, requests: Values, at: number): Usual | null {
  const weeks = Array.from({ length: WEEKS }, (_, week) =>
    [-1, 0, 1].flatMap((beside) => {
      const place = at - (week + 1) * WEEK_HOURS + beside;
      const value = values[place] ?? null;
      return value === null || (requests[place] ?? 0) === 0 ? [] : [value];
    }),
  );
  return usualOf(weeks);
}
