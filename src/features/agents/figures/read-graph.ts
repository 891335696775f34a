import type { LinkRow } from '../../../core/events/index.ts';
import type { EntryKind, GraphReply } from '../contract.ts';
import { type Figures, MOST_LISTED, shownWindow, sumOf, timesOf, total } from './read-figures.ts';

type Node = GraphReply['nodes'][number];

/** Edges of a reply. */
const MOST_EDGES = 300;

/**
 * What calls what: the edges with most calls, and the nodes of these and the dearest others. Entries that people hid, and
 * their calls, are left out.
 */
export async function readGraph(figures: Figures): Promise<GraphReply> {
  const rows = await figures.links({
    groupBy: ['kind', 'name', 'callerKind', 'callerName'],
    percentiles: MOST_EDGES,
  });
  const { registry } = figures;
  const isShown = (kind: string | null | undefined, name: string | null | undefined): boolean =>
    kind === 'model' || !registry.isHidden(kind as EntryKind, name ?? '');
  const nodes = new Map<string, Node>();
  const edges: GraphReply['edges'] = [];
  const nodeOf = (kind: string, name: string): Node => {
    const id = `${kind}:${name}`;
    const none = { calls: 0, errors: 0, cost: 0, modelCalls: 0, unpriced: 0 };
    const known = nodes.get(id) ?? { id, kind: kind as Node['kind'], name, ...none };
    nodes.set(id, known);
    return known;
  };
  const addCost = (node: Node, { calls, unpriced, cost }: ReturnType<typeof total>): void => {
    node.cost += cost;
    node.modelCalls += calls;
    node.unpriced += unpriced;
  };
  for (const row of rows) {
    const { kind = null, name = null, callerKind = null, callerName = null } = row;
    if (kind === null || !isShown(kind, name)) continue;
    const sum = total([row]);
    const { calls, errors, unpriced, cost } = sum;
    const to = nodeOf(kind, name ?? '');
    to.calls += calls;
    to.errors += errors;
    if (kind === 'model') addCost(to, sum);
    if (callerKind === null || !isShown(callerKind, callerName)) continue;
    const from = nodeOf(callerKind, callerName ?? '');
    if (kind === 'model') addCost(from, sum);
    edges.push({ from: from.id, to: to.id, calls, errors, cost, unpriced, ...timesOf(row) });
  }
  const byCalls = (a: Pick<LinkRow, 'calls'>, b: Pick<LinkRow, 'calls'>): number => b.calls - a.calls;
  const left = edges.sort(byCalls).splice(MOST_EDGES);
  const onEdges = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const shown = [...nodes.values()].sort(
    (a, b) => Number(onEdges.has(b.id)) - Number(onEdges.has(a.id)) || b.cost - a.cost || byCalls(a, b),
  );
  const others = shown.splice(MOST_LISTED);
  return {
    nodes: shown.sort(byCalls),
    ...(others.length > 0 && {
      otherNodes: {
        nodes: others.length,
        calls: sumOf(others, ({ calls }) => calls),
        errors: sumOf(others, ({ errors }) => errors),
      },
    }),
    edges,
    others: { edges: left.length, calls: left.reduce((sum, { calls }) => sum + calls, 0) },
    window: shownWindow(figures.window),
  };
}
