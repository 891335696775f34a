import type { LinkTree } from '../../../link-tree.ts';
import type { SpanTree } from '../../../span-tree.ts';
import type { FlippedChunk } from './flipped-chunk.ts';
import { RecentTrees } from './recent-trees.ts';

/** What is in memory of a trace. A tree that is null is read when it is needed. */
export class TraceTrees {
  /** What counting calls once knows. */
  count: SpanTree | null = null;
  /** What the graph of agents and tools knows. */
  link: LinkTree | null = null;
  /** Where its spans are stored: set while a batch is applied. */
  parts: readonly FlippedChunk[] | null = null;
  /** The spans that were counted as held. */
  held = 0;

  get size(): number {
    return Math.max(this.count?.spans.size ?? 0, this.link?.spans.size ?? 0);
  }
}

/** The trees of the traces that got spans most recently, by project and trace. */
export const createTraceTrees = (): RecentTrees<TraceTrees> => new RecentTrees();

/** Counts spans that trees of traces got, and lets go of what only a batch needs. */
export function settleTrees(
  all: RecentTrees<TraceTrees>,
  traces: readonly { readonly trees: TraceTrees }[],
): void {
  let grown = 0;
  for (const { trees } of traces) {
    const { size } = trees;
    grown += size - trees.held;
    trees.held = size;
    trees.parts = null;
  }
  all.grew(grown);
}
