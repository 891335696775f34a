import type { ParsedEvent } from './event.ts';
import {
  addSpan,
  type CallKind,
  createSpanTree,
  NO_CHILDREN,
  type SpanTree,
  type TreeSpan,
} from './span-tree.ts';

/**
 * Counts each call once. A provider's SDK creates its own span below that of a wrapper (Anthropic's below
 * OpenLLMetry, OpenInference and Sentry), and both describe the same call. Of a call and its ancestors of the same
 * kind, the outermost span that has tokens or failed is counted, an event of this product's SDK before an OTLP span;
 * if none has, the outermost.
 *
 * The result depends only on the tree, not on the order in which its spans arrived.
 * @param added spans that were just linked in
 * @param cut spans that lost their parent
 * @returns the spans whose `counted` changed, in no particular order
 */
export function recountCalls(added: readonly TreeSpan[], cut: readonly TreeSpan[] = []): TreeSpan[] {
  const tops = new Set<TreeSpan>(cut);
  for (const node of added) {
    const top = outermostCall(node);
    if (top !== null) tops.add(top);
  }
  return [...tops].flatMap(recountBelow);
}

/**
 * The outermost call above a span: a new span affects only the tree below it. Null if the span neither is nor is
 * inside a call.
 */
function outermostCall(node: TreeSpan): TreeSpan | null {
  let top: TreeSpan | null = null;
  for (let up: TreeSpan | null = node; up !== null; up = up.parent) if (up.kind !== null) top = up;
  return top;
}

/** Of the ancestors of a span, of one kind: the one that is counted. */
type Above = TreeSpan | null;
type Visit = { readonly node: TreeSpan } & Readonly<Record<CallKind, Above>>;

/** How much a call tells: one that tells more than the calls around it is counted in their place. */
const rank = (node: TreeSpan): number => (node.tells ? (node.linked ? 2 : 1) : 0);

/** Iterative, because a chain can be as long as a trace. */
function recountBelow(top: TreeSpan): TreeSpan[] {
  const verdicts = new Map<TreeSpan, boolean>();
  const open: Visit[] = [{ node: top, llm: null, embedding: null }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { node } = visit;
    const inside =
      node.kind === null ? visit : { ...visit, [node.kind]: judge(node, visit[node.kind], verdicts) };
    for (const child of node.children)
      open.push({ node: child, llm: inside.llm, embedding: inside.embedding });
  }
  const changed: TreeSpan[] = [];
  for (const [node, counted] of verdicts) {
    if (node.counted === counted) continue;
    node.counted = counted;
    changed.push(node);
  }
  return changed;
}

/** Decides whether a call counts, or the one above it. Returns what its children see above them. */
function judge(node: TreeSpan, above: Above, verdicts: Map<TreeSpan, boolean>): Above {
  const counts = above === null || rank(node) > rank(above);
  verdicts.set(node, counts);
  if (!counts) return above;
  if (above !== null) verdicts.set(above, false);
  return node;
}

/** The fields that the rule needs. */
type Countable = Pick<
  ParsedEvent,
  'kind' | 'status' | 'ts' | 'trace_id' | 'span_id' | 'parent_span_id' | 'input_tokens' | 'output_tokens'
>;

/** Indexes of calls in a list of spans that another span of the list already represents. */
export function findDuplicates(events: readonly Countable[]): Set<number> {
  const trees = new Map<string, SpanTree>();
  const places = new Map<TreeSpan, number>();
  for (const [place, event] of events.entries()) {
    const tree = trees.get(event.trace_id) ?? createSpanTree();
    trees.set(event.trace_id, tree);
    const kind = event.kind === 'llm' || event.kind === 'embedding' ? event.kind : null;
    const tells = event.input_tokens + event.output_tokens > 0 || event.status !== 'success';
    const { span_id: span, ts } = event;
    const counted = kind !== null;
    const given = { span, ts, kind, tells, linked: false, counted, parent: null, children: NO_CHILDREN };
    const node = addSpan<TreeSpan>(tree, given, event.parent_span_id);
    if (node !== null) places.set(node, place);
  }
  return new Set(recountCalls([...places.keys()]).flatMap((node) => places.get(node) ?? []));
}
