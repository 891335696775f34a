import { z } from 'zod';
import { filterText } from '../../../core/events/filter/contract.ts';
import { type MetricDimension, metricDimension, metricMeasure } from '../../../core/events/query/contract.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';

/** Columns of the grid, and the most rows that a tile may take or start at. */
export const GRID_COLUMNS = 12;
export const MAX_ROWS = 500;
/** Most tiles of a dashboard; one read answers them all. */
export const MAX_TILES = 24;

/** How a tile shows its figures. */
export const TILE_KINDS = ['bars', 'line', 'number', 'table', 'histogram', 'heatmap', 'matrix'] as const;

export type TileKind = (typeof TILE_KINDS)[number];
export type TileMeasure = z.output<typeof metricMeasure>;
export type TileDimension = MetricDimension;

const groupBy = z
  .array(metricDimension)
  .max(2)
  .describe('Dimensions; a chart takes one, a table two, a matrix needs two.');
const limit = z
  .int()
  .min(1)
  .max(50)
  .describe('Most groups, the largest first; of a matrix up to 20 of each dimension.');

/** A metric query, and how it is shown. */
export const tileQuerySchema = z.strictObject({
  kind: z
    .enum(TILE_KINDS)
    .describe(
      '`bars` and `line` over time, `number` with its change, a `table` of groups, a `histogram` of the latency or the time to first token, a `heatmap` of one over time, or a `matrix` of two dimensions.',
    ),
  measures: z
    .array(metricMeasure)
    .min(1)
    .max(6)
    .describe(
      'Measures; a grouped chart, a number and a matrix show the first. A histogram marks its percentiles; histogram and heat map are of the time to first token if the first is a measure of it.',
    ),
  groupBy: groupBy.default([]),
  filter: filterText.max(1_000).default('').describe('Filter of this tile, in the filter language.'),
  limit: limit.default(6),
});
export type TileQuery = z.output<typeof tileQuerySchema>;

const cells = (max: number) => z.int().min(0).max(max);
export const tileSchema = tileQuerySchema.extend({
  id: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must have 1 to 40 letters, digits, _ and -')
    .describe('Id of the tile, unique in its dashboard.'),
  title: lineOfText(100).describe('Title, 1 to 100 characters.'),
  x: cells(GRID_COLUMNS - 1).describe('First column, from 0; the grid has 12.'),
  y: cells(MAX_ROWS).describe('First row, from 0.'),
  w: cells(GRID_COLUMNS).min(2).describe('Columns, 2 to 12.'),
  h: cells(20).min(2).describe('Rows, 2 to 20.'),
});
export type Tile = z.output<typeof tileSchema>;

/** A tile as replies have it: nothing is left out. */
export const storedTileSchema = tileSchema.extend({
  groupBy,
  filter: tileSchema.shape.filter.unwrap(),
  limit,
});

export const tilesSchema = z
  .array(tileSchema)
  .max(MAX_TILES)
  .refine((tiles) => new Set(tiles.map(({ id }) => id)).size === tiles.length, {
    error: 'two tiles have the same id',
  })
  .refine((tiles) => tiles.every(({ x, w }) => x + w <= GRID_COLUMNS), {
    error: `a tile ends after the last of ${GRID_COLUMNS} columns`,
  })
  .refine(
    (tiles) => tiles.every(({ kind, groupBy: [one, two] }) => kind !== 'matrix' || (two ?? one) !== one),
    {
      error: 'a matrix needs two different dimensions',
    },
  );
