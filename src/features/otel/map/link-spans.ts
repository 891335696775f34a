/** The ids of a ParsedEvent that link spans. */
type Linked = { readonly trace_id: string; readonly span_id: string; readonly parent_span_id: string | null };

export type Links = {
  /** Index of each span's parent in the list, -1 if the parent is not in it. */
  readonly parents: readonly number[];
  /** All indexes, parents before children. */
  readonly order: readonly number[];
};

/** Finds the parents among the given spans. A cycle is cut at one of its spans. */
export function linkSpans(spans: readonly Linked[]): Links {
  // Many clients report calls alone.
  if (spans.every(({ parent_span_id }) => parent_span_id === null))
    return { parents: spans.map(() => -1), order: [...spans.keys()] };
  const places = new Map<string, number>();
  for (const [place, span] of spans.entries()) places.set(span.trace_id + span.span_id, place);
  const parents = spans.map(({ trace_id, parent_span_id }) =>
    parent_span_id === null ? -1 : (places.get(trace_id + parent_span_id) ?? -1),
  );
  const children = new Map<number, number[]>();
  for (const [place, parent] of parents.entries()) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [place]);
    else siblings.push(place);
  }
  const order: number[] = [];
  const reached = new Array<boolean>(spans.length).fill(false);
  const descend = (root: number): void => {
    const open = [root];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (reached[place]) continue;
      reached[place] = true;
      order.push(place);
      open.push(...(children.get(place) ?? []));
    }
  };
  for (const root of children.get(-1) ?? []) descend(root);
  for (const place of parents.keys()) {
    if (reached[place]) continue;
    // Only spans of a cycle are not reached from a root.
    parents[place] = -1;
    descend(place);
  }
  return { parents, order };
}
