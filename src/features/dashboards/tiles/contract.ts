import { z } from 'zod';
import { filterText } from '../../../core/events/filter/contract.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';

/** Columns of the grid, and the most rows that a tile may take or start at. */
export const GRID_COLUMNS = 12;
export const MAX_ROWS = 500;
/** Most tiles of a dashboard; one read answers them all. */
export const MAX_TILES = 24;

/** How a tile shows its figures. */
export const TILE_KINDS = ['bars', 'line', 'number', 'table'] as const;

export type TileKind = (typeof TILE_KINDS)[number];

/** What a tile can show, with the unit; names and meanings are those of the other figures. */
export const TILE_MEASURES = {
  requests: 'count',
  cost: 'usd',
  errors: 'count',
  errorRate: 'fraction',
  timeoutRate: 'fraction',
  rateLimited: 'count',
  unpriced: 'count',
  latencyAvg: 'ms',
  latencyP50: 'ms',
  latencyP90: 'ms',
  latencyP95: 'ms',
  latencyP99: 'ms',
  ttftAvg: 'ms',
  tokensPerSec: 'count',
  inputTokens: 'count',
  outputTokens: 'count',
  cacheReadTokens: 'count',
  freshTokens: 'count',
  reasoningTokens: 'count',
  cacheRate: 'fraction',
} as const;
export type TileMeasure = keyof typeof TILE_MEASURES;

const measure = z.enum(Object.keys(TILE_MEASURES) as [TileMeasure, ...TileMeasure[]]);

/** What figures can be grouped by, beside tags. */
export const TILE_DIMENSIONS = [
  'model',
  'provider',
  'environment',
  'status',
  'errorCode',
  'release',
  'agent',
  'tool',
  'promptName',
  'promptVersion',
  'userId',
  'keyId',
] as const;
const tag = z.templateLiteral(['tag:', z.string()]);
const dimension = z
  .union([z.enum(TILE_DIMENSIONS), tag], {
    error: `must be one of ${TILE_DIMENSIONS.join(', ')} or tag:NAME`,
  })
  .refine((text) => text.length > 'tag:'.length && text.length <= 204, {
    error: 'the name of a tag has 1 to 200 characters',
  });
export type TileDimension = z.output<typeof dimension>;

const groupBy = z.array(dimension).max(2).describe('Dimensions; a chart takes one, a table two.');
const limit = z.int().min(1).max(50).describe('Most groups, the largest first.');

/** A metric query, and how it is shown. */
export const tileQuerySchema = z.strictObject({
  kind: z
    .enum(TILE_KINDS)
    .describe('`bars` and `line` over time, `number` with its change, or a `table` of groups.'),
  measures: z.array(measure).min(1).max(6).describe('Measures; a grouped chart and a number show the first.'),
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
  });
