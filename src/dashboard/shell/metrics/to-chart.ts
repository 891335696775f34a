import type { MetricsReply, Unit } from '../../../core/events/query/contract.ts';
import type { ChartBucket, ChartPoint, Series } from '../../ui/charts/chart-data.ts';
import { lookAt, REST_COLOUR } from '../../ui/charts/colours.ts';
import type { FigureKind } from '../../ui/format.ts';

/** How figures are drawn. */
export type Look = {
  /** Bars for what adds up, stacked; lines for what does not. */
  readonly shape: 'bars' | 'lines';
  /** How figures become series: `byGroup` for those with groups; without it each measure is one. */
  readonly drawer?: (reply: MetricsReply, look: Look) => Drawn[];
  /** What measures are called, if the series are measures. */
  readonly labelOf?: (measure: string) => string;
  /** Instead of the usual colours, in the order of the series. */
  readonly colours?: readonly string[];
  /** What groups are called. Groups of one name are drawn as one: only where they add up. */
  readonly nameOf?: (key: MetricsReply['groups'][number]['key']) => string;
  /** Most series that are named; the others are drawn as one. */
  readonly most?: number;
};

export type MetricsChart = {
  readonly points: readonly ChartPoint[];
  readonly series: readonly Series[];
  readonly bucket: ChartBucket;
  readonly kind: FigureKind;
};

/** How values of a unit are written. */
const KINDS: Readonly<Record<Unit, FigureKind>> = {
  usd: 'money',
  calls: 'count',
  checks: 'count',
  tokens: 'count',
  ms: 'duration',
  fraction: 'fraction',
  'tokens/s': 'count',
  'calls/min': 'count',
  score: 'count',
  scores: 'count',
  runs: 'count',
};

export type Values = readonly (number | null)[];
/** What is drawn as one series. */
export type Drawn = {
  readonly label: string;
  readonly now: Values;
  readonly before: Values | null;
  /** Whether it stands for all other groups. */
  readonly isRest?: boolean;
  /** What finds its calls. */
  readonly filter?: string;
};

/** What a reply with steps looks like as a chart: a series for each measure, or for each group by the first measure. */
export function toChart(reply: MetricsReply, look: Look): MetricsChart {
  const { steps, measures, bucket } = reply;
  const drawn = (look.drawer ?? byMeasure)(reply, look);
  const series = drawn.map(
    ({ label, before, isRest, filter }, place): Series => ({
      name: `s${place}`,
      label,
      ...(isRest ? { color: REST_COLOUR } : lookAt(place, look.colours)),
      ...(before === null ? {} : { before: `s${place} before` }),
      ...(filter === undefined ? {} : { filter }),
    }),
  );
  const before = beforeOf(reply);
  const points = steps.map(
    ({ start, end }, step): ChartPoint => ({
      time: start,
      end,
      ...before(start, end),
      ...Object.fromEntries(
        drawn.flatMap(({ now, before }, place) => [
          [`s${place}`, now[step] ?? null],
          ...(before === null ? [] : [[`s${place} before`, before[step] ?? null]]),
        ]),
      ),
    }),
  );
  const [first] = measures;
  return { points, series, bucket: bucket ?? '1d', kind: KINDS[first?.unit ?? 'calls'] };
}

/** The part of the previous period that a bucket is compared with: as far from its start, and only what lies in it. */
function beforeOf({ start, previous }: MetricsReply) {
  if (previous === undefined) return () => ({});
  const [first, last] = [Date.parse(previous.start), Date.parse(previous.end) + 1];
  const behind = Date.parse(start) - first;
  const inPrevious = (at: string): string =>
    new Date(Math.min(last, Math.max(0, first, Date.parse(at) - behind))).toISOString();
  return (from: string, to: string) => ({ before: inPrevious(from), beforeEnd: inPrevious(to) });
}

const byMeasure = ({ measures, total }: MetricsReply, { labelOf = (name) => name }: Look): Drawn[] =>
  measures.map(({ name }) => ({
    label: labelOf(name),
    now: total.series?.[name] ?? [],
    before: total.previous?.series?.[name] ?? null,
  }));
