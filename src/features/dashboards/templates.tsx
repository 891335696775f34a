import type { Tile, TileQuery } from './tiles/contract.ts';

type Draft = Partial<TileQuery> & Pick<Tile, 'title' | 'kind' | 'measures' | 'x' | 'y' | 'w' | 'h'>;
type Template = { readonly label: string; readonly tiles: readonly Tile[] };

const tiles = (drafts: readonly Draft[]): Tile[] =>
  drafts.map((draft, n) => ({ groupBy: [], filter: '', limit: 6, ...draft, id: `tile-${n + 1}` }));

const number = (title: string, measure: Tile['measures'][number], x: number): Draft => ({
  title,
  kind: 'number',
  measures: [measure],
  x,
  y: 0,
  w: 3,
  h: 2,
});

/** Dashboards to begin with, by name. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  empty: { label: 'Empty', tiles: [] },
  releases: {
    label: 'Cost by release',
    tiles: tiles([
      number('Cost', 'cost', 0),
      number('Calls', 'requests', 3),
      number('Error rate', 'errorRate', 6),
      number('p95 latency', 'latencyP95', 9),
      {
        title: 'Cost by release',
        kind: 'bars',
        measures: ['cost'],
        groupBy: ['release'],
        x: 0,
        y: 2,
        w: 12,
        h: 5,
      },
      {
        title: 'Releases',
        kind: 'table',
        measures: ['cost', 'requests', 'errorRate', 'latencyP95'],
        groupBy: ['release'],
        limit: 20,
        x: 0,
        y: 7,
        w: 12,
        h: 5,
      },
    ]),
  },
  latency: {
    label: 'Latency by model',
    tiles: tiles([
      number('Median latency', 'latencyP50', 0),
      number('p95 latency', 'latencyP95', 3),
      number('p99 latency', 'latencyP99', 6),
      number('Output tokens per second', 'tokensPerSec', 9),
      {
        title: 'p95 latency by model',
        kind: 'line',
        measures: ['latencyP95'],
        groupBy: ['model'],
        x: 0,
        y: 2,
        w: 12,
        h: 5,
      },
      {
        title: 'Percentiles',
        kind: 'line',
        measures: ['latencyP50', 'latencyP95', 'latencyP99'],
        x: 0,
        y: 7,
        w: 6,
        h: 5,
      },
      {
        title: 'Models',
        kind: 'table',
        measures: ['requests', 'latencyP50', 'latencyP95', 'latencyP99'],
        groupBy: ['model'],
        limit: 20,
        x: 6,
        y: 7,
        w: 6,
        h: 5,
      },
    ]),
  },
  cache: {
    label: 'Cache savings',
    tiles: tiles([
      number('Cache rate', 'cacheRate', 0),
      number('Cached input tokens', 'cacheReadTokens', 3),
      number('Input tokens', 'inputTokens', 6),
      number('Cost', 'cost', 9),
      {
        title: 'Cached and uncached input',
        kind: 'bars',
        measures: ['cacheReadTokens', 'freshTokens'],
        x: 0,
        y: 2,
        w: 6,
        h: 5,
      },
      {
        title: 'Cache rate by model',
        kind: 'line',
        measures: ['cacheRate'],
        groupBy: ['model'],
        x: 6,
        y: 2,
        w: 6,
        h: 5,
      },
      {
        title: 'Cache by model and environment',
        kind: 'table',
        measures: ['inputTokens', 'cacheRate', 'cost'],
        groupBy: ['model', 'environment'],
        limit: 20,
        x: 0,
        y: 7,
        w: 12,
        h: 5,
      },
    ]),
  },
};
