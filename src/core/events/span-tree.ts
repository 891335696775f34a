/** Kinds that can count as a call. */
export type CallKind = 'llm' | 'embedding';

/** A span of a trace as far as counting looks at it. */
export type SpanNode = {
  /** The span's id, in any form that is the same throughout a tree. */
  readonly span: string;
  /** Start in epoch milliseconds. */
  readonly ts: number;
  /** Null for a span that is no call. */
  readonly kind: CallKind | null;
  /** Whether it says what its call used, or that it failed. */
  readonly tells: boolean;
  /** Whether it counts as a call. */
  counted: boolean;
  parent: SpanNode | null;
  readonly children: SpanNode[];
};

/** The spans of one trace that are known so far, linked by their parents in whatever order they came. */
export type SpanTree = {
  readonly spans: Map<string, SpanNode>;
  /** Spans whose parent has not come yet, by its id. */
  readonly waiting: Map<string, SpanNode[]>;
};

export const createSpanTree = (): SpanTree => ({ spans: new Map(), waiting: new Map() });

/** Links a span in. Null, and nothing changed, where a span of that id is there already. */
export function addSpan(
  tree: SpanTree,
  given: Pick<SpanNode, 'span' | 'ts' | 'kind' | 'tells' | 'counted'>,
  parentId: string | null,
): SpanNode | null {
  const { spans, waiting } = tree;
  if (spans.has(given.span)) return null;
  const children = waiting.get(given.span) ?? [];
  const node: SpanNode = { ...given, parent: null, children };
  spans.set(given.span, node);
  if (children.length > 0) {
    waiting.delete(given.span);
    for (const child of children) child.parent = node;
  }
  if (parentId === null || parentId === given.span) return node;
  const parent = spans.get(parentId);
  if (parent === undefined) {
    const others = waiting.get(parentId);
    if (others === undefined) waiting.set(parentId, [node]);
    else others.push(node);
    return node;
  }
  node.parent = parent;
  parent.children.push(node);
  if (children.length > 0) cutCycle(node);
  return node;
}

/** A ring is complete with its last span, and cut above its earliest: whatever the order of arrival. */
function cutCycle(last: SpanNode): void {
  let first = last;
  for (let up = last.parent; up !== last; up = up.parent) {
    if (up === null) return;
    if (up.ts < first.ts || (up.ts === first.ts && up.span < first.span)) first = up;
  }
  const siblings = first.parent?.children ?? [];
  siblings.splice(siblings.indexOf(first), 1);
  first.parent = null;
}
