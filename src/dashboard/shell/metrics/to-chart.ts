import type { MetricMeasure, MetricsReply, Unit } from '../../../core/events/query/contract.ts';
import type { ChartBucket, ChartPoint, Series } from '../../ui/charts/chart-data.ts';
import { COLOURS, REST_COLOUR } from '../../ui/charts/colours.ts';
import type { FigureKind } from '../../ui/format.ts';

/** How figures are drawn. */
export type Look = {
  /** Bars for what adds up, stacked; lines for what does not. */
  readonly shape: 'bars' | 'lines';
  /** What measures are called, if the series are measures. */
  readonly labelOf?: (measure: MetricMeasure) => string;
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
  tokens: 'count',
  ms: 'duration',
  fraction: 'fraction',
  'tokens/s': 'count',
  'calls/min': 'count',
};

type Values = readonly (number | null)[];
type Drawn = { readonly label: string; readonly now: Values; readonly before: Values | null };

/** What a reply with steps looks like as a chart: a series for each measure, or for each group by the first measure. */
export function toChart(reply: MetricsReply, look: Look): MetricsChart {
  const { steps, measures, bucket } = reply;
  const drawn = reply.groupBy.length === 0 ? byMeasure(reply, look) : byGroup(reply, look);
  const colours = look.colours ?? COLOURS;
  const series = drawn.map(
    ({ label, before }, place): Series => ({
      name: `s${place}`,
      label,
      color: label.endsWith(' others') ? REST_COLOUR : (colours[place % colours.length] ?? REST_COLOUR),
      ...(before === null ? {} : { before: `s${place} before` }),
    }),
  );
  const behind = reply.previous && Date.parse(reply.start) - Date.parse(reply.previous.start);
  const points = steps.map(
    ({ start, end }, step): ChartPoint => ({
      time: start,
      end,
      ...(behind === undefined
        ? {}
        : { before: new Date(Math.max(0, Date.parse(start) - behind)).toISOString() }),
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

const byMeasure = ({ measures, total }: MetricsReply, { labelOf = (name) => name }: Look): Drawn[] =>
  measures.map(({ name }) => ({
    label: labelOf(name),
    now: total.series?.[name] ?? [],
    before: total.previous?.series?.[name] ?? null,
  }));

const plainName: NonNullable<Look['nameOf']> = (key) => Object.values(key).join(' · ');

function byGroup(reply: MetricsReply, { shape, nameOf = plainName, most = COLOURS.length }: Look): Drawn[] {
  const { groups, others, measures } = reply;
  const name = measures[0]?.name ?? 'requests';
  const toDrawn = (label: string, figures: readonly MetricsReply['total'][]): Drawn => ({
    label,
    now: sumOf(figures.map(({ series }) => series?.[name] ?? [])),
    before: reply.previous ? sumOf(figures.map(({ previous }) => previous?.series?.[name] ?? [])) : null,
  });
  const named = [...Map.groupBy(groups, ({ key }) => nameOf(key))];
  // One more than fits, if it were the only other, is named instead.
  const shown = named.length + (others === null ? 0 : 1) <= most ? named : named.slice(0, most - 1);
  const rest = named.slice(shown.length);
  const left = [...rest.flatMap(([, own]) => own), ...(others === null ? [] : [others])];
  return [
    ...shown.map(([label, own]) => toDrawn(label, own)),
    // What others come to as one is a figure of bars only.
    ...(left.length === 0 || shape === 'lines'
      ? []
      : [toDrawn(`${rest.length + (others?.groups ?? 0)} others`, left)]),
  ];
}

/** Series added up step by step; a step that none of them knows is null. */
function sumOf([first = [], ...more]: readonly Values[]): Values {
  if (more.length === 0) return first;
  const steps = Math.max(first.length, ...more.map(({ length }) => length));
  return Array.from({ length: steps }, (_, step) => {
    const known = [first, ...more].flatMap((values) => values[step] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });
}
