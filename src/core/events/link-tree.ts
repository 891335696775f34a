import type { LinkCaller, LinkKind, OwnLink } from './links.ts';
import type { SpanTree, TreeNode } from './span-tree.ts';

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
  readonly facts: OwnLink['facts'];
};

/** A place in a batch of the log. */
export type LoggedAt = { readonly seq: number; readonly place: number };

/** A span with its place in the graph. */
export interface LinkNode extends TreeNode<LinkNode> {
  readonly own: OwnLink;
  /** The id of its event. */
  readonly eventId: string;
  /** The batch of the log in which the event was stored, and its place there; null if that is not known. */
  readonly logged: LoggedAt | null;
  /** What the span is called by; null if it calls nothing, as a step of its agent. */
  kind: LinkKind | null;
  caller: LinkCaller | null;
  root: string | null;
  head: boolean;
  /** The span's release; where it names none, that of the span above. */
  release: string | null;
  /** What spans below see: the nearest caller, and the nearest agent. */
  within: LinkCaller | null;
  agent: string | null;
}

/** A trace: its spans, and the span that stands for the run of each outermost agent. */
export type LinkTree = SpanTree<LinkNode> & { readonly heads: Map<string, LinkNode> };

/** A node that is not linked yet. */
export const linkNode = ({
  span,
  ts,
  own,
  eventId,
  logged,
}: Pick<LinkNode, 'span' | 'ts' | 'own' | 'eventId' | 'logged'>): LinkNode => ({
  span,
  ts,
  own,
  eventId,
  logged,
  parent: null,
  children: [],
  kind: null,
  caller: null,
  root: null,
  head: false,
  release: null,
  within: null,
  agent: null,
});

/** The link of a node; null if it has no place in the graph. */
export function linkOf({ kind, caller, root, head, own, release }: LinkNode): Link | null {
  if (kind === null || (kind === 'model' && caller === null && root === null)) return null;
  const facts = own.facts[0] === release ? own.facts : [release, ...own.facts.slice(1)];
  return { kind, name: own.name, caller, root, head, facts };
}

/**
 * Finds who calls what in a trace. The caller of a span is the nearest span above it that is a tool or that names an
 * agent; a tool or a call of a model that names another agent than the spans above is called by that agent. An agent's
 * span below the same agent is a step of it and no call. The result depends only on the tree, not on the order in
 * which its spans arrived.
 * @param added spans that were just linked in
 * @returns the other spans whose link changed
 */
export function relink(tree: LinkTree, added: ReadonlySet<LinkNode>): Set<LinkNode> {
  const changed = new Set<LinkNode>();
  const tops = [...tree.cut.splice(0), ...added].filter(
    (node) => node.parent === null || !added.has(node.parent) || !added.has(node),
  );
  for (const top of tops) for (const node of visitBelow(top)) if (!added.has(node)) changed.add(node);
  const candidates = changed.size > 0 ? tree.spans.values() : added;
  if (changed.size > 0) {
    for (const head of tree.heads.values()) head.head = false;
    const former = new Set(tree.heads.values());
    tree.heads.clear();
    chooseHeads(tree, candidates);
    for (const head of former) if (!head.head && !added.has(head)) changed.add(head);
    for (const head of tree.heads.values()) if (!former.has(head) && !added.has(head)) changed.add(head);
    return changed;
  }
  for (const head of chooseHeads(tree, candidates)) if (!added.has(head)) changed.add(head);
  return changed;
}

/** Makes the best candidates stand for their runs. Returns the spans that do no longer. */
function chooseHeads({ heads }: LinkTree, candidates: Iterable<LinkNode>): LinkNode[] {
  const former: LinkNode[] = [];
  for (const node of candidates) {
    if (node.kind === null || node.root === null) continue;
    const head = heads.get(node.root);
    if (head !== undefined && !isBefore(node, head)) continue;
    if (head !== undefined) {
      head.head = false;
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

/** Places a span and those below it anew. Returns those whose place changed. Iterative, because chains can be long. */
function visitBelow(top: LinkNode): LinkNode[] {
  const changed: LinkNode[] = [];
  const open = [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (place(node)) changed.push(node);
    for (const child of node.children) open.push(child);
  }
  return changed;
}

function place(node: LinkNode): boolean {
  const { own, parent } = node;
  const above = parent?.agent ?? null;
  const isOther = own.agent !== null && own.agent !== above;
  const kind = own.kind === 'agent' && !isOther ? null : own.kind;
  const outer = parent?.within ?? null;
  const caller = own.kind !== 'agent' && isOther ? agentNamed(own.agent) : outer;
  const root = parent?.root ?? own.agent;
  const release = own.facts[0] ?? parent?.release ?? null;
  const isChanged =
    kind !== node.kind || root !== node.root || release !== node.release || !isSame(caller, node.caller);
  Object.assign(node, { kind, caller, root, release, agent: own.agent ?? above });
  if (own.kind === 'tool') node.within = { kind: 'tool', name: own.name };
  else node.within = isOther ? agentNamed(own.agent) : outer;
  return isChanged;
}

const agentNamed = (name: string | null): LinkCaller | null =>
  name === null ? null : { kind: 'agent', name };

const isSame = (a: LinkCaller | null, b: LinkCaller | null): boolean =>
  a?.kind === b?.kind && a?.name === b?.name;
