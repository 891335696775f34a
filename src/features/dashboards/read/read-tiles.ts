import type { Ctx } from '../../../context.ts';
import {
  type EventFilters,
  eventsOf,
  type MetricsQuery,
  type Window,
  windowBefore,
} from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { formatInstant } from '../../../lib/time.ts';
import { autoBucket, type BucketName, bucketEdges } from '../../../lib/time-buckets.ts';
import type { TileFigures } from '../contract.ts';
import { TILE_MEASURES, type TileQuery } from '../tiles/contract.ts';
import { type AnyRow, figureOf, groupOf, keyOf, largest } from './groups.ts';
import { withFilter, withValues } from './narrow.ts';

/** What all tiles of a page are about. */
export type PageInput = {
  readonly filters: EventFilters;
  readonly window: Window;
  readonly timeZone: string;
};

/** Groups that are read; of more the most expensive ones. */
const MOST_GROUPS = 1_000;
/** Rows of groups and buckets that are read without naming the groups. */
const MOST_ROWS = 5_000;

type Answers = Readonly<Record<string, readonly AnyRow[]>>;
type Tile = { readonly query: TileQuery; readonly filters: EventFilters; readonly name: string };

/**
 * The figures of several tiles. All are read by two queries of the store, one after the other, so that a dashboard takes
 * one reader process at a time however many tiles it has.
 */
export async function readTiles(
  ctx: Ctx,
  scope: EventScope,
  { tiles: queries, ...page }: PageInput & { readonly tiles: readonly TileQuery[] },
): Promise<TileFigures[]> {
  const bucket = autoBucket(page.window);
  const edges = bucketEdges(bucket, page.window, page.timeZone);
  const tiles = queries.map(
    (query, i): Tile => ({
      query: { ...query, groupBy: shownDimensions(query) },
      filters: withFilter(page.filters, query.filter),
      name: `t${i}`,
    }),
  );
  const ask = async (asked: Readonly<Record<string, MetricsQuery>>): Promise<Answers> =>
    Object.keys(asked).length === 0 ? {} : ((await eventsOf(ctx).metrics(scope, asked)) as Answers);
  const totals = await ask(Object.assign({}, ...tiles.map((tile) => totalQueries(tile, page))));
  const steps = await ask(
    Object.assign(
      {},
      ...tiles.map((tile) => stepQueries(tile, { page, bucket, totals, count: edges.length })),
    ),
  );
  return tiles.map((tile) => toFigures(tile, { totals, steps, bucket, edges }));
}

/** A chart shows one dimension, a number none. */
const shownDimensions = ({ kind, groupBy }: TileQuery): TileQuery['groupBy'] =>
  kind === 'number' ? [] : kind === 'table' ? groupBy : groupBy.slice(0, 1);

const isChart = ({ kind }: TileQuery): boolean => kind === 'bars' || kind === 'line';

/** What is read of the whole window: groups, or totals with those before. */
function totalQueries({ query, filters, name }: Tile, { window }: PageInput): Record<string, MetricsQuery> {
  const { measures, groupBy } = query;
  const base = { measures: [...new Set([...measures, 'requests' as const])], filters, nulls: true } as const;
  if (groupBy.length === 0)
    return {
      [name]: { ...base, window },
      [`${name}p`]: { ...base, window: windowBefore(window) },
    };
  return { [name]: { ...base, window, groupBy, ...(groupBy.length === 1 && { top: MOST_GROUPS }) } };
}

type Steps = {
  readonly page: PageInput;
  readonly bucket: BucketName;
  readonly totals: Answers;
  readonly count: number;
};

/** What is read of the steps of a chart: of all groups if they are few, else of those that are shown. */
function stepQueries(
  { query, filters, name }: Tile,
  { page, bucket, totals, count }: Steps,
): Record<string, MetricsQuery> {
  if (!isChart(query)) return {};
  const { measures, groupBy } = query;
  const [dimension] = groupBy;
  const base = {
    measures: dimension === undefined ? measures : measures.slice(0, 1),
    window: page.window,
    timeZone: page.timeZone,
    bucket,
    nulls: true,
  } as const;
  const all = totals[name] ?? [];
  const shown = largest(all, query);
  if (dimension === undefined) return { [`${name}b`]: { ...base, filters } };
  const values = shown.rows.flatMap((row) => groupOf(row, groupBy).filter((value) => value !== null));
  const isFew = all.length * count <= MOST_ROWS;
  return {
    [`${name}b`]: {
      ...base,
      groupBy,
      filters: isFew ? filters : withValues(filters, dimension, values),
    },
    ...(shown.others > 0 && isAdditive(query) && { [`${name}r`]: { ...base, filters } }),
  };
}

/** What others add up to can be told of counts and amounts only. */
const isAdditive = ({ measures: [first = 'requests'] }: TileQuery): boolean =>
  TILE_MEASURES[first] === 'usd' || (TILE_MEASURES[first] === 'count' && first !== 'tokensPerSec');

type Found = {
  readonly totals: Answers;
  readonly steps: Answers;
  readonly bucket: BucketName;
  readonly edges: readonly number[];
};

function toFigures(tile: Tile, { totals, steps, bucket, edges }: Found): TileFigures {
  const { query, name } = tile;
  const { measures, groupBy } = query;
  const [first = 'requests'] = measures;
  const starts = edges.slice(0, -1);
  const chart = isChart(query);
  const shape = {
    bucket: chart ? bucket : null,
    times: chart ? starts.map(formatInstant) : [],
    end: chart ? formatInstant(edges.at(-1) ?? 0) : null,
  };
  const seriesOf = (rows: readonly AnyRow[], measure: typeof first): (number | null)[] => {
    const byTime = new Map(rows.map((row) => [row.time, row]));
    return chart ? starts.map((start) => figureOf(byTime.get(start), measure)) : [];
  };
  if (groupBy.length === 0) {
    const [now, before] = [totals[name]?.[0], totals[`${name}p`]?.[0]];
    const rows = (chart ? measures : [first]).map((measure) => ({
      group: [],
      measure,
      totals: (chart ? [measure] : measures).map((one) => figureOf(now, one)),
      previous: (chart ? [measure] : measures).map((one) => figureOf(before, one)),
      values: seriesOf(steps[`${name}b`] ?? [], measure),
    }));
    return { ...shape, rows, others: 0 };
  }
  const { rows, others } = largest(totals[name] ?? [], query);
  const byGroup = Map.groupBy(steps[`${name}b`] ?? [], (row) => keyOf(groupOf(row, groupBy)));
  const groups = rows.map((row) => ({
    group: groupOf(row, groupBy),
    measure: first,
    totals: (chart ? [first] : measures).map((one) => figureOf(row, one)),
    previous: [],
    values: seriesOf(byGroup.get(keyOf(groupOf(row, groupBy))) ?? [], first),
  }));
  const whole = steps[`${name}r`];
  return {
    ...shape,
    rows: whole === undefined ? groups : [...groups, restOf(groups, seriesOf(whole, first), first)],
    others,
  };
}

type Row = TileFigures['rows'][number];

/** What is left of the whole in each step, as a row without a group. */
function restOf(rows: readonly Row[], whole: readonly (number | null)[], measure: Row['measure']): Row {
  const values = whole.map((value, step) => {
    const shown = rows.reduce((sum, row) => sum + (row.values[step] ?? 0), 0);
    return value === null ? null : Math.max(0, value - shown);
  });
  const total = values.reduce((sum: number, value) => sum + (value ?? 0), 0);
  return { group: [], measure, totals: [total], previous: [], values };
}
