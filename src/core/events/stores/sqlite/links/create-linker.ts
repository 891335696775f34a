import { DAY_MS } from '../../../../../lib/time.ts';
import { type LinkNode, type LinkTree, linkNode, linkOf, relink } from '../../../link-tree.ts';
import { addSpan, createSpanTree } from '../../../span-tree.ts';
import { ID_WORDS } from '../columns.ts';
import type { Trace } from '../counting/load-spans.ts';
import { RecentTrees } from '../counting/recent-trees.ts';
import type { StoredParts } from '../counting/stored-parts.ts';
import { manyIdWords } from '../packs/id-bytes.ts';
import type { LinkNumbers } from './link-numbers.ts';
import { loadLinks, restoreLinks } from './load-links.ts';
import type { LogLinks } from './log-links.ts';
import type { SpanLink } from './span-link.ts';

/** A stored event that gets another link, by its id as sent. */
export type Relink = Pick<LinkNode, 'ts' | 'eventId' | 'logged'> & { readonly link: number };

/** What a batch changes: the numbers of the links of its places, and earlier events. */
export type Linked = { readonly own: readonly number[]; readonly earlier: readonly Relink[] };

/** A batch, and the number that it will have in the log. */
export type LinkBatch = {
  readonly project: number;
  readonly seq: number;
  /** By place; null for an event without a place in the graph. */
  readonly links: readonly (SpanLink | null)[];
  /** Places of duplicates. */
  readonly dropped: readonly number[];
};

/** Places events in the graph of agents and tools, across all batches of a trace. */
export type Linker = {
  link(batch: LinkBatch): Linked;
  /** Reverts the last `link`, because its batch was not stored. */
  undo(): void;
  /** Clears the trees after a rollback. */
  forget(): void;
};

/** Maximum number of spans of a trace that are linked together, as `MAX_SPANS` of the counter. */
const MAX_SPANS = 50_000;

type Parts = {
  readonly stored: Pick<StoredParts, 'spans'>;
  readonly numbers: LinkNumbers;
  readonly logLinks: LogLinks;
};

export function createLinker({ stored: { spans }, numbers, logLinks }: Parts): Linker {
  const trees = new RecentTrees<LinkTree>();
  let touched: string[] = [];

  function load(project: number, trace: Trace, days: ReadonlySet<number>): LinkTree {
    const tree: LinkTree = { ...createSpanTree<LinkNode>(), heads: new Map() };
    const loaded = new Map<LinkNode, number>();
    for (const part of spans.of(project, trace, days)) {
      if (tree.spans.size >= MAX_SPANS) break;
      spans.unlessDamaged(part, () => {
        const { chunk, segment, seq } = part;
        const links = segment === null ? logLinks.of(seq) : chunk.numbers('link');
        for (const [node, link] of loadLinks(tree, trace, { chunk, links })) loaded.set(node, link);
      });
    }
    if (loaded.size > 0) restoreLinks(tree, loaded, numbers);
    return tree;
  }

  function treeOf(project: number, trace: Trace, times: readonly number[]): LinkTree {
    const key = keyOf(project, trace.id);
    const known = trees.get(key);
    if (known !== undefined && known.spans.size < MAX_SPANS) return known;
    trees.delete(key);
    const days = new Set(times.map((ts) => Math.floor(ts / DAY_MS)));
    const tree =
      known === undefined
        ? load(project, trace, days)
        : { ...createSpanTree<LinkNode>(), heads: new Map<string, LinkNode>() };
    trees.set(key, tree);
    return tree;
  }

  function linkTrace(batch: LinkBatch, trace: Trace, places: readonly number[], own: number[]): Relink[] {
    const { project, seq, links } = batch;
    const at = (place: number): SpanLink => links[place] as SpanLink;
    const tree = treeOf(
      project,
      trace,
      places.map((place) => at(place).ts),
    );
    const before = tree.spans.size;
    const added = new Map<LinkNode, number>();
    for (const place of places) {
      const { parent, span, ts, eventId, own: said } = at(place);
      const given = { span, ts, eventId, own: said, logged: { seq, place } };
      // A second event with the id of a span has a place of its own, and no spans below it.
      const node =
        addSpan<LinkNode>(tree, linkNode(given), parent) ??
        addSpan<LinkNode>(tree, linkNode({ ...given, span: `${span} ${eventId}` }), parent);
      if (node !== null) added.set(node, place);
    }
    trees.grew(tree.spans.size - before);
    spans.note(project, trace.words, seq);
    const changed = relink(tree, new Set(added.keys()));
    for (const [node, place] of added) own[place] = numbers.numberOf(project, linkOf(node));
    return [...changed].map((node) => ({
      ts: node.ts,
      eventId: node.eventId,
      logged: node.logged,
      link: numbers.numberOf(project, linkOf(node)),
    }));
  }

  return {
    link(batch) {
      const { project, links, dropped } = batch;
      const without = new Set(dropped);
      const places = [...links.keys()].filter((place) => links[place] !== null && !without.has(place));
      const traces = [...Map.groupBy(places, (place) => links[place]?.trace ?? '')];
      touched = traces.map(([id]) => keyOf(project, id));
      const words = manyIdWords(
        'trace_id',
        traces.map(([id]) => id),
      );
      const own = links.map(() => 0);
      const earlier = traces.flatMap(([id, placesOf], i) => {
        const trace = { id, words: words.subarray(i * ID_WORDS.trace_id, (i + 1) * ID_WORDS.trace_id) };
        return linkTrace(batch, trace, placesOf, own);
      });
      return { own, earlier };
    },
    undo() {
      for (const key of touched) trees.delete(key);
    },
    forget: () => trees.clear(),
  };
}

const keyOf = (project: number, trace: string): string => `${project} ${trace}`;
