/** Kinds that can count as a call. */
export type CallKind = 'llm' | 'embedding';

/** A span in a tree. */
export type TreeNode<N> = {
  /** The span's id, in any form that is consistent within a tree. */
  readonly span: string;
  /** Start in epoch milliseconds. */
  readonly ts: number;
  parent: N | null;
  /** `NO_CHILDREN` as long as there are none: most spans have none. */
  children: N[];
};

export const NO_CHILDREN = Object.freeze<never[]>([]) as never[];

/** The fields of a span that counting needs. */
export interface TreeSpan extends TreeNode<TreeSpan> {
  /** Null if the span is not a call. */
  readonly kind: CallKind | null;
  /** Whether it has token counts or failed. */
  readonly tells: boolean;
  /** Whether the SDK sent it as an event, which knows more of the call than an OTLP span. */
  readonly linked: boolean;
  /** Whether it counts as a call. */
  counted: boolean;
}

/** The known spans of one trace, linked to their parents in any order of arrival. */
export type SpanTree<N extends TreeNode<N> = TreeSpan> = {
  readonly spans: Map<string, N>;
  /** Spans whose parent has not arrived yet, by the parent's id. */
  readonly waiting: Map<string, N[]>;
  /** Spans that lost their parent when a ring was cut, and are not looked at anew yet. */
  readonly cut: N[];
};

export const createSpanTree = <N extends TreeNode<N> = TreeSpan>(): SpanTree<N> => ({
  spans: new Map(),
  waiting: new Map(),
  cut: [],
});

/**
 * Adds a span to the tree. Returns null and changes nothing if the tree already has that id.
 * @param node without parent and children
 */
export function addSpan<N extends TreeNode<N>>(
  tree: SpanTree<N>,
  node: N,
  parentId: string | null,
): N | null {
  const { spans, waiting } = tree;
  if (spans.has(node.span)) return null;
  spans.set(node.span, node);
  const below = waiting.size === 0 ? undefined : waiting.get(node.span);
  if (below !== undefined) {
    for (const child of below) child.parent = node;
    node.children = below;
    waiting.delete(node.span);
  }
  if (parentId === null || parentId === node.span) return node;
  const parent = spans.get(parentId);
  if (parent === undefined) {
    const others = waiting.get(parentId);
    if (others === undefined) waiting.set(parentId, [node]);
    else others.push(node);
    return node;
  }
  node.parent = parent;
  if (parent.children.length === 0) parent.children = [node];
  else parent.children.push(node);
  if (node.children.length > 0) cutCycle(tree, node);
  return node;
}

/**
 * Breaks a cycle, which its last span closes, above the earliest span, so that the result does not depend on the
 * order of arrival.
 */
function cutCycle<N extends TreeNode<N>>({ cut }: SpanTree<N>, last: N): void {
  let first = last;
  for (let up = last.parent; up !== last; up = up.parent) {
    if (up === null) return;
    if (up.ts < first.ts || (up.ts === first.ts && up.span < first.span)) first = up;
  }
  const siblings = first.parent?.children ?? [];
  siblings.splice(siblings.indexOf(first), 1);
  first.parent = null;
  cut.push(first);
}
