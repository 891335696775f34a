import { MAX_TRACE_LEVELS, type SpanNode, type StoredEvent } from '../../../contract.ts';

/** Calls, failures, nano-dollars, calls without a price, input and output tokens of one span. */
export type SpanSums = readonly [number, number, number, number, number, number];

/** The fields that link spans to a tree. */
export type Linked<N> = {
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly children: N[];
  orphan?: true;
  cycle?: true;
};

/**
 * Builds a trace's tree by `parent_span_id`; children keep the order of the spans. Every span occurs exactly once. A
 * span without its parent is a root (`orphan`), and so is the first span of a cycle (`cycle`). If two spans have the
 * same id, children go to the first. Below `MAX_TRACE_LEVELS`, spans are listed flat under their ancestor on the last
 * level (`too_deep`), because many JSON parsers reject deep documents.
 * @param spans by start time
 * @param sums contribution of each span to its ancestors, by index
 */
export function buildTree(
  spans: readonly StoredEvent[],
  sums: readonly SpanSums[] | null = null,
): SpanNode[] {
  const nodes = spans.map((span): SpanNode => ({ ...span, children: [] }));
  const roots = linkSpans(nodes);
  if (sums !== null) sumSubtrees(nodes, sums, roots);
  for (const root of roots) flattenBelow(root);
  return roots;
}

/** Links nodes to their parents and marks them as `buildTree` describes. @returns the roots */
export function linkSpans<N extends Linked<N>>(nodes: readonly N[]): N[] {
  const byId = new Map<string, N>();
  for (const node of nodes) if (!byId.has(node.span_id)) byId.set(node.span_id, node);
  const parentOf = (node: N): N | undefined =>
    node.parent_span_id === null ? undefined : byId.get(node.parent_span_id);

  markCycles(nodes, parentOf);
  const roots: N[] = [];
  for (const node of nodes) {
    const parent = node.cycle === true ? undefined : parentOf(node);
    if (parent !== undefined) {
      parent.children.push(node);
      continue;
    }
    if (node.parent_span_id !== null && node.cycle === undefined) node.orphan = true;
    roots.push(node);
  }
  return roots;
}

/** Children before parents, so that each span is added to its parent once it is complete. */
function sumSubtrees(
  nodes: readonly SpanNode[],
  sums: readonly SpanSums[],
  roots: readonly SpanNode[],
): void {
  const totals = new Map(nodes.map((node, place) => [node, [1, ...(sums[place] ?? [])]]));
  const order = [...roots];
  // The list grows during iteration: parents come before their children.
  for (const node of order) for (const child of node.children) order.push(child);
  for (const node of order.reverse()) {
    if (node.children.length === 0) continue;
    const total = totals.get(node) ?? [];
    for (const child of node.children) {
      for (const [place, value] of totals.get(child)?.entries() ?? [])
        total[place] = (total[place] ?? 0) + value;
    }
    const [
      spans = 0,
      llm_calls = 0,
      errors = 0,
      cost = 0,
      unpriced = 0,
      input_tokens = 0,
      output_tokens = 0,
    ] = total;
    node.subtree = { spans, llm_calls, errors, cost_usd: cost / 1e9, unpriced, input_tokens, output_tokens };
  }
}

/** Marks the first span of each cycle. */
function markCycles<N extends Linked<N>>(nodes: readonly N[], parentOf: (node: N) => N | undefined): void {
  const walkOf = new Map<N, number>();
  let places: Map<N, number> | null = null;
  for (const [walk, start] of nodes.entries()) {
    let node: N | undefined = start;
    while (node !== undefined && !walkOf.has(node)) {
      walkOf.set(node, walk);
      node = parentOf(node);
    }
    if (node === undefined || walkOf.get(node) !== walk) continue;
    const ring = [node];
    for (let next = parentOf(node); next !== undefined && next !== node; next = parentOf(next))
      ring.push(next);
    // Cycles are rare.
    places ??= new Map(nodes.map((one, place): [N, number] => [one, place]));
    const placeOf: ReadonlyMap<N, number> = places;
    const place = (one: N): number => placeOf.get(one) ?? 0;
    ring.reduce((first, one) => (place(one) < place(first) ? one : first)).cycle = true;
  }
}

/** Iterative, because a chain can be as long as a trace. */
function flattenBelow(root: SpanNode): void {
  const open: { node: SpanNode; level: number }[] = [{ node: root, level: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    if (level === MAX_TRACE_LEVELS - 1) {
      for (const child of node.children) child.children = flattened(child);
      continue;
    }
    for (const child of node.children) open.push({ node: child, level: level + 1 });
  }
}

/** All spans below one, in depth-first order, as a flat list. */
function flattened(top: SpanNode): SpanNode[] {
  const open = top.children.toReversed();
  const flat: SpanNode[] = [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    flat.push(node);
    for (const child of node.children.toReversed()) open.push(child);
    node.children = [];
  }
  for (const node of flat) if (node.parent_span_id !== top.span_id) node.too_deep = true;
  return flat;
}
