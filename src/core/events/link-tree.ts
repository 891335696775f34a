import { BASIC_FACTS, type LinkCaller, type LinkKind, type OwnLink } from './links.ts';
import { NO_CHILDREN, type SpanTree, type TreeNode } from './span-tree.ts';

/** Where a span is in the graph. */
export type Link = {
  readonly kind: LinkKind;
  readonly name: string;
  /** Null if no agent or tool is known above. */
  readonly caller: LinkCaller | null;
  /** The outermost agent, to whose run the span belongs; null without one. */
  readonly root: string | null;
  /** Whether the span stands for the run: one span of each trace and outermost agent does. */
  readonly head: boolean;
  /** As `LINK_FACTS`, then the version of the outermost agent. */
  readonly facts: OwnLink['facts'];
};

/** What an event says of the graph, with what spans below it see as their caller. Few, shared by many spans. */
export type SharedOwn = OwnLink & {
  /** Counts up: tells those of a process apart. */
  readonly no: number;
  readonly asAgent: LinkCaller | null;
  readonly asTool: LinkCaller | null;
};

/** A span with its place in the graph. */
export interface LinkNode extends TreeNode<LinkNode> {
  readonly own: SharedOwn;
  /** Words of event ids, and where that of its event is among them. */
  readonly ids: Int32Array;
  readonly at: number;
  /** The batch of the log in which the event was stored, and its place there; 0 if the batch is not known. */
  readonly seq: number;
  readonly place: number;
  /** What the span is called by; null if it calls nothing, as a step of its agent. */
  kind: LinkKind | null;
  caller: LinkCaller | null;
  root: string | null;
  head: boolean;
  /** The span's release; where it names none, that of the span above. */
  release: string | null;
  /** The version of the nearest agent, and that of the outermost one. */
  version: string | null;
  rootVersion: string | null;
  /** What spans below see: the nearest caller, and the nearest agent. */
  within: LinkCaller | null;
  agent: string | null;
}

/** A trace: its spans, and the span that stands for the run of each outermost agent. */
export type LinkTree = SpanTree<LinkNode> & { readonly heads: Map<string, LinkNode> };

/** A node that is not linked yet. */
export const linkNode = (
  given: Pick<LinkNode, 'span' | 'ts' | 'own' | 'ids' | 'at' | 'seq' | 'place'>,
): LinkNode => ({
  span: given.span,
  ts: given.ts,
  own: given.own,
  ids: given.ids,
  at: given.at,
  seq: given.seq,
  place: given.place,
  parent: null,
  children: NO_CHILDREN,
  kind: null,
  caller: null,
  root: null,
  head: false,
  release: null,
  version: null,
  rootVersion: null,
  within: null,
  agent: null,
});

/** Whether a node has a place in the graph. */
export const isPlaced = ({ kind, caller, root }: LinkNode): boolean =>
  kind !== null && (kind !== 'model' || caller !== null || root !== null);

/** The link of a node; null if it has no place in the graph. */
export function linkOf(node: LinkNode): Link | null {
  const { kind, caller, root, head, own, release, version, rootVersion } = node;
  if (kind === null || !isPlaced(node)) return null;
  const facts = [release, ...own.facts.slice(1, BASIC_FACTS), version, rootVersion];
  return { kind, name: own.name, caller, root, head, facts };
}

/**
 * Finds who calls what in a trace. The caller of a span is the nearest span above it that is a tool or that names an
 * agent; a tool or a call of a model that names another agent than the spans above is called by that agent. An agent's
 * span below the same agent is a step of it and no call. The result depends only on the tree, not on the order in
 * which its spans arrived.
 * @param added spans that were just linked in
 * @param isAdded whether a span is one of them
 * @returns the other spans whose link changed
 */
export function relink(
  tree: LinkTree,
  added: readonly LinkNode[],
  isAdded: (node: LinkNode) => boolean,
): readonly LinkNode[] {
  const changed: LinkNode[] = [];
  for (const node of tree.cut.length === 0 ? [] : tree.cut.splice(0))
    if (node.parent === null || !isAdded(node) || !isAdded(node.parent)) placeBelow(node, isAdded, changed);
  for (const node of added)
    if (node.parent === null || !isAdded(node.parent)) placeBelow(node, isAdded, changed);
  if (changed.length === 0) {
    const former = chooseHeads(tree, added);
    return former === null ? changed : former.filter((head) => !isAdded(head));
  }
  const former = [...tree.heads.values()];
  for (const head of former) head.head = false;
  tree.heads.clear();
  chooseHeads(tree, tree.spans.values());
  const all = new Set(changed);
  for (const head of former) if (!head.head && !isAdded(head)) all.add(head);
  for (const head of tree.heads.values()) if (!former.includes(head) && !isAdded(head)) all.add(head);
  return [...all];
}

/** Makes the best candidates stand for their runs. Returns the spans that do no longer; null if there are none. */
function chooseHeads({ heads }: LinkTree, candidates: Iterable<LinkNode>): LinkNode[] | null {
  let former: LinkNode[] | null = null;
  for (const node of candidates) {
    if (node.kind === null || node.root === null) continue;
    const head = heads.get(node.root);
    if (head !== undefined && !isBefore(node, head)) continue;
    if (head !== undefined) {
      head.head = false;
      former ??= [];
      former.push(head);
    }
    node.head = true;
    heads.set(node.root, node);
  }
  return former;
}

/** An agent's span stands for a run rather than others; then the earliest does. */
function isBefore(a: LinkNode, b: LinkNode): boolean {
  if ((a.kind === 'agent') !== (b.kind === 'agent')) return a.kind === 'agent';
  return a.ts < b.ts || (a.ts === b.ts && a.span < b.span);
}

/** Places a span and those below it anew. Notes those that were known and changed. Iterative, because chains can be long. */
function placeBelow(top: LinkNode, isAdded: (node: LinkNode) => boolean, changed: LinkNode[]): void {
  if (place(top) && !isAdded(top)) changed.push(top);
  if (top.children.length === 0) return;
  const open = [...top.children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (place(node) && !isAdded(node)) changed.push(node);
    for (const child of node.children) open.push(child);
  }
}

function place(node: LinkNode): boolean {
  const { own, parent } = node;
  const above = parent === null ? null : parent.agent;
  const isOther = own.agent !== null && own.agent !== above;
  const kind = own.kind === 'agent' && !isOther ? null : own.kind;
  const outer = parent === null ? null : parent.within;
  const caller = own.kind !== 'agent' && isOther ? own.asAgent : outer;
  const root = parent?.root ?? own.agent;
  const release = own.facts[0] ?? parent?.release ?? null;
  // A version is that of the agent that a span names, or of the one above if it names none.
  const agent = own.agent ?? above;
  const inherited = isOther ? null : (parent?.version ?? null);
  const version = agent === null ? null : (own.facts[BASIC_FACTS] ?? inherited);
  const rootVersion = parent?.rootVersion ?? (agent === root ? version : null);
  const isChanged =
    kind !== node.kind ||
    root !== node.root ||
    release !== node.release ||
    version !== node.version ||
    rootVersion !== node.rootVersion ||
    !isSame(caller, node.caller);
  node.kind = kind;
  node.caller = caller;
  node.root = root;
  node.release = release;
  node.version = version;
  node.rootVersion = rootVersion;
  node.agent = agent;
  if (own.kind === 'tool') node.within = own.asTool;
  else node.within = isOther ? own.asAgent : outer;
  return isChanged;
}

const isSame = (a: LinkCaller | null, b: LinkCaller | null): boolean =>
  a === b || (a?.kind === b?.kind && a?.name === b?.name);
