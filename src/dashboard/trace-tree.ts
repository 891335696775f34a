import type { SpanNode } from '../core/events/contract.ts';

/** A span as the waterfall shows it; times are milliseconds from the start of the trace. */
export type Span = {
  readonly node: SpanNode;
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  /** Spans below it. */
  readonly below: number;
  /** Of the span and all below it: dollars, tokens, and calls without a price. Each call counts once. */
  readonly cost: number;
  readonly tokens: number;
  readonly unpriced: number;
  readonly failed: number;
  /** Whether the trace would have ended sooner without it. */
  readonly critical: boolean;
};

type Sums = { below: number; cost: number; tokens: number; unpriced: number; failed: number };

const startOf = (node: SpanNode): number => Date.parse(node.timestamp);
const endOf = (node: SpanNode): number => startOf(node) + (node.latency_ms ?? 0);
const isFailed = ({ status }: SpanNode): boolean => status !== 'success' && status !== 'cancelled';

/** All spans of a trace, each before those below it. */
export function flattenTrace(roots: readonly SpanNode[], traceStart: number): Span[] {
  const critical = criticalPath(roots);
  const spans: Span[] = [];
  const visit = (node: SpanNode, depth: number): Sums => {
    const place = spans.length;
    const counts = node.counted && node.cost_status !== null;
    const sums: Sums = {
      below: 0,
      cost: counts ? (node.cost_usd ?? 0) : 0,
      tokens: counts ? node.input_tokens + node.output_tokens : 0,
      unpriced: counts && node.cost_status === 'unpriced' ? 1 : 0,
      failed: isFailed(node) ? 1 : 0,
    };
    const start = startOf(node) - traceStart;
    const span = { node, depth, start, end: endOf(node) - traceStart, critical: critical.has(node) };
    spans.push({ ...span, ...sums });
    for (const child of node.children) {
      const of = visit(child, depth + 1);
      sums.below += of.below + 1;
      sums.cost += of.cost;
      sums.tokens += of.tokens;
      sums.unpriced += of.unpriced;
      sums.failed += of.failed;
    }
    spans[place] = { ...span, ...sums };
    return sums;
  };
  for (const root of roots) visit(root, 0);
  return spans;
}

/**
 * The spans by which a trace took as long as it did: from the one that ends last, backwards in time through
 * whatever it waited for.
 */
export function criticalPath(roots: readonly SpanNode[]): Set<SpanNode> {
  const path = new Set<SpanNode>();
  const waiting: [SpanNode, number][] = [];
  const follow = (nodes: readonly SpanNode[], from: number, until: number): void => {
    let moment = until;
    for (const node of nodes.toSorted((a, b) => endOf(b) - endOf(a))) {
      if (moment <= from) break;
      // What ends after the moment was not waited for; a parent that ended early waited for nobody.
      if (endOf(node) > moment || endOf(node) <= from) continue;
      path.add(node);
      waiting.push([node, endOf(node)]);
      moment = startOf(node);
    }
  };
  follow(roots, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, until] = next;
    follow(node.children, startOf(node), until);
  }
  return path;
}

/** The rows in sight: all but those below a folded span. */
export function unfolded(spans: readonly Span[], folded: ReadonlySet<string>): Span[] {
  const shown: Span[] = [];
  for (let place = 0; place < spans.length; place++) {
    const span = spans[place];
    if (span === undefined) break;
    shown.push(span);
    if (folded.has(span.node.event_id)) place += span.below;
  }
  return shown;
}
