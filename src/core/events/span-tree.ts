/** Kinds that can count as a call. */
export type CallKind = 'llm' | 'embedding';

/** The fields of a span that counting needs. */
export type TreeSpan = {
  /** The span's id, in any form that is consistent within a tree. */
  readonly span: string;
  /** Start in epoch milliseconds. */
  readonly ts: number;
  /** Null if the span is not a call. */
  readonly kind: CallKind | null;
  /** Whether it has token counts or failed. */
  readonly tells: boolean;
  /** Whether the SDK sent it as an event, which knows more of the call than an OTLP span. */
  readonly linked: boolean;
  /** Whether it counts as a call. */
  counted: boolean;
  parent: TreeSpan | null;
  readonly children: TreeSpan[];
};

/** The known spans of one trace, linked to their parents in any order of arrival. */
export type SpanTree = {
  readonly spans: Map<string, TreeSpan>;
  /** Spans whose parent has not arrived yet, by the parent's id. */
  readonly waiting: Map<string, TreeSpan[]>;
  /** Spans that lost their parent when a ring was cut, and are not counted anew yet. */
  readonly cut: TreeSpan[];
};

export const createSpanTree = (): SpanTree => ({ spans: new Map(), waiting: new Map(), cut: [] });

/** Adds a span to the tree. Returns null and changes nothing if the tree already has that id. */
export function addSpan(
  tree: SpanTree,
  given: Omit<TreeSpan, 'parent' | 'children'>,
  parentId: string | null,
): TreeSpan | null {
  const { spans, waiting } = tree;
  if (spans.has(given.span)) return null;
  const children = waiting.get(given.span) ?? [];
  const node: TreeSpan = { ...given, parent: null, children };
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
  if (children.length > 0) cutCycle(tree, node);
  return node;
}

/**
 * Breaks a cycle, which its last span closes, above the earliest span, so that the result does not depend on the
 * order of arrival.
 */
function cutCycle({ cut }: SpanTree, last: TreeSpan): void {
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
