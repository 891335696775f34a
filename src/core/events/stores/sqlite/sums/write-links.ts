import { LRUCache } from 'lru-cache';
import type { Connection } from '../../../../../db/connection.ts';
import type { LinkDelta } from './link-deltas.ts';
import { LINK_SUMS } from './rollup-sums.ts';
import { createHourWriter } from './write-rollups.ts';

/** Adds contributions to the sums by link, and to those of the edges of the graph that the links belong to. */
export type LinkWriter = {
  add(project: number, deltas: readonly LinkDelta[]): void;
  /** Clears what a rollback may have made wrong. */
  forget(): void;
};

const REMEMBERED = 20_000;

export function createLinkWriter(connection: Connection): LinkWriter {
  const writeLinks = createHourWriter(connection, {
    hours: 'rollup_link_hours',
    days: 'rollup_links',
    dimensions: ['link'],
    sums: LINK_SUMS,
    plain: true,
  });
  const writeEdges = createHourWriter(connection, {
    hours: 'rollup_edge_hours',
    days: 'rollup_edges',
    dimensions: ['edge'],
    sums: LINK_SUMS,
  });
  const read = connection.prepare('SELECT edge FROM event_links WHERE id = ?').raw(true);
  const edges = new LRUCache<number, number>({ max: REMEMBERED });
  const edgeOf = (link: number): number => {
    const known = edges.get(link) ?? (read.all([link]) as (number | null)[][])[0]?.[0] ?? link;
    edges.set(link, known);
    return known;
  };
  return {
    add(project, deltas) {
      if (deltas.length === 0) return;
      writeLinks(project, deltas);
      writeEdges(project, byEdge(deltas, edgeOf));
    },
    forget: () => edges.clear(),
  };
}

function byEdge(deltas: readonly LinkDelta[], edgeOf: (link: number) => number): LinkDelta[] {
  const edges = new Map<string, LinkDelta & { readonly sums: number[]; readonly bins: number[] }>();
  for (const { hour, dimensions, sums, bins } of deltas) {
    const edge = edgeOf(dimensions[0]);
    const id = `${hour} ${edge}`;
    const known = edges.get(id);
    if (known === undefined) edges.set(id, { hour, dimensions: [edge], sums: [...sums], bins: [...bins] });
    else {
      for (let i = 0; i < sums.length; i++) known.sums[i] = (known.sums[i] as number) + (sums[i] as number);
      for (const bin of bins) known.bins.push(bin);
    }
  }
  return [...edges.values()];
}
