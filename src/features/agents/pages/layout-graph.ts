import type { GraphReply } from '../contract.ts';

type Nodes = GraphReply['nodes'];
type Edges = GraphReply['edges'];

export type Place = { readonly x: number; readonly y: number };

export const NODE_WIDTH = 220;
/** Leaves room for the text on a line. */
const COLUMN = 430;
/** From one box to the next of a column. */
export const ROW = 62;

/**
 * Places nodes in columns: a node is right of those that call it, as far as no ring of calls prevents it. In a column
 * the nodes are in the order of the mean place of their callers, so that few lines cross.
 */
export function layoutGraph(nodes: Nodes, edges: Edges): Map<string, Place> {
  const columns = columnsOf(nodes, edges);
  const callers = Map.groupBy(edges, ({ to }) => to);
  const places = new Map<string, Place>();
  const groups = [...Map.groupBy(nodes, ({ id }) => columns.get(id) ?? 0)].sort(([a], [b]) => a - b);
  const tallest = Math.max(...groups.map(([, { length }]) => length));
  for (const [column, own] of groups) {
    const meanOf = (id: string): number => {
      const known = (callers.get(id) ?? []).flatMap(({ from }) => places.get(from)?.y ?? []);
      return known.length === 0 ? 0 : known.reduce((sum, y) => sum + y, 0) / known.length;
    };
    const ordered = own
      .map(({ id }, place) => ({ id, place, mean: meanOf(id) }))
      .sort((a, b) => a.mean - b.mean || a.place - b.place);
    const offset = ((tallest - own.length) * ROW) / 2;
    for (const [place, { id }] of ordered.entries())
      places.set(id, { x: column * COLUMN, y: offset + place * ROW });
  }
  return places;
}

/** The column of each node: one more than the largest of its callers'. Calls that close a ring are left out. */
function columnsOf(nodes: Nodes, edges: Edges): Map<string, number> {
  const callees = Map.groupBy(edges, ({ from }) => from);
  const called = new Set(edges.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const columns = new Map<string, number>();
  const open = new Set<string>();
  const visit = (id: string, column: number): void => {
    if (open.has(id) || (columns.get(id) ?? -1) >= column) return;
    columns.set(id, column);
    open.add(id);
    for (const { to } of callees.get(id) ?? []) visit(to, column + 1);
    open.delete(id);
  };
  for (const { id } of nodes) if (!called.has(id)) visit(id, 0);
  // What is left is called in rings only.
  for (const { id } of nodes) if (!columns.has(id)) visit(id, 0);
  return columns;
}
