import { type LinkNode, type LinkTree, linkNode, relink, type SharedOwn } from '../../../link-tree.ts';
import { addSpan, createSpanTree } from '../../../span-tree.ts';
import { ID_WORDS } from '../columns.ts';
import type { StoredParts } from '../counting/stored-parts.ts';
import type { BatchTrace, TracedBatch } from '../ingest/batch-traces.ts';
import { hexAt, toUuid } from '../packs/id-bytes.ts';
import type { LinkNumbers } from './link-numbers.ts';
import { loadLinks, restoreLinks } from './load-links.ts';
import type { LogLinks } from './log-links.ts';
import type { OwnLinks } from './own-links.ts';

/** A stored event that gets another link. */
export type Relink = { readonly node: LinkNode; readonly link: number };

/** What a batch changes: the numbers of the links of its places, and earlier events. */
export type Linked = { readonly own: readonly number[]; readonly earlier: readonly Relink[] };

/** A batch with events that have a place in the graph, and what they say of it. */
export type LinkBatch = TracedBatch & { readonly links: OwnLinks };

/** Places events in the graph of agents and tools, across all batches of a trace. */
export type Linker = {
  link(batch: LinkBatch): Linked;
  /** Reverts the last `link`, because its batch was not stored. */
  undo(): void;
};

/** Maximum number of spans of a trace that are linked together, as `MAX_SPANS` of the counter. */
const MAX_SPANS = 50_000;

type Parts = {
  readonly stored: Pick<StoredParts, 'spans'>;
  readonly numbers: LinkNumbers;
  readonly logLinks: LogLinks;
};

export function createLinker({ stored: { spans }, numbers, logLinks }: Parts): Linker {
  let touched: readonly BatchTrace[] = [];

  function load(batch: LinkBatch, trace: BatchTrace): LinkTree {
    const { project, times } = batch;
    const tree: LinkTree = { ...createSpanTree<LinkNode>(), heads: new Map() };
    const loaded = new Map<LinkNode, number>();
    const shared = (own: string): SharedOwn => numbers.shared(project, own);
    for (const part of spans.partsOf(project, trace, times)) {
      if (tree.spans.size >= MAX_SPANS) break;
      spans.unlessDamaged(part, () => {
        const { chunk, segment, seq } = part;
        const links = segment === null ? logLinks.of(seq) : chunk.numbers('link');
        for (const [node, link] of loadLinks(tree, trace, { chunk, links, shared })) loaded.set(node, link);
      });
    }
    if (loaded.size > 0) restoreLinks(tree, loaded, numbers);
    return tree;
  }

  function treeOf(batch: LinkBatch, trace: BatchTrace): LinkTree {
    const known = trace.trees.link;
    if (known !== null && known.spans.size < MAX_SPANS) return known;
    const tree =
      known === null
        ? load(batch, trace)
        : { ...createSpanTree<LinkNode>(), heads: new Map<string, LinkNode>() };
    trace.trees.link = tree;
    return tree;
  }

  function linkTrace(batch: LinkBatch, trace: BatchTrace, owns: readonly SharedOwn[], linked: Changes): void {
    const { project, seq, times, ids, columns, links, dropped } = batch;
    let tree: LinkTree | null = null;
    const added: LinkNode[] = [];
    for (const place of trace.places) {
      const number = links.own[place] as number;
      if (number === 0 || dropped.has(place)) continue;
      tree ??= treeOf(batch, trace);
      const parent = columns.parents[place] ?? null;
      const span = columns.spans[place] as string;
      const ts = times[place] as number;
      const at = place * ID_WORDS.event_id;
      const own = owns[number - 1] as SharedOwn;
      const given = { span, ts, own, ids, at, seq, place };
      // A second event with the id of a span has a place of its own, and no spans below it.
      const node =
        addSpan<LinkNode>(tree, linkNode(given), parent) ??
        addSpan<LinkNode>(tree, linkNode({ ...given, span: `${span} ${eventIdOf(ids, place)}` }), parent);
      if (node !== null) added.push(node);
    }
    if (tree === null) return;
    spans.note(project, trace.words, seq);
    const changed = relink(tree, added, (node) => node.seq === seq);
    for (const node of added) linked.own[node.place] = numbers.numberOf(project, node);
    for (const node of changed) linked.earlier.push({ node, link: numbers.numberOf(project, node) });
  }

  return {
    link(batch) {
      touched = batch.traces;
      const linked: Changes = { own: batch.columns.traces.map(() => 0), earlier: [] };
      const owns = batch.links.owns.map((own) => numbers.shared(batch.project, own));
      for (const trace of batch.traces) linkTrace(batch, trace, owns, linked);
      return linked;
    },
    undo() {
      for (const { trees } of touched) trees.link = null;
    },
  };
}

type Changes = { readonly own: number[]; readonly earlier: Relink[] };

const eventIdOf = (ids: Int32Array, place: number): string => toUuid(hexAt('event_id', ids, place));
