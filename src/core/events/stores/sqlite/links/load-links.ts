import { EVENT_KINDS } from '../../../contract.ts';
import { type LinkNode, type LinkTree, linkNode, relink, type SharedOwn } from '../../../link-tree.ts';
import { ownLinkOf } from '../../../links.ts';
import { addSpan } from '../../../span-tree.ts';
import { ID_WORDS } from '../columns.ts';
import type { Trace } from '../counting/load-spans.ts';
import type { Fields } from '../packs/fields.ts';
import type { Chunk } from '../scan/chunk.ts';
import { parentIdAt, spanIdAt, textAt } from '../scan/to-event.ts';
import type { LinkNumbers } from './link-numbers.ts';
import { ownText } from './link-text.ts';

/** A chunk with spans of a trace; `links` are the numbers by place. */
export type LinkedChunk = {
  readonly chunk: Chunk;
  readonly links: ArrayLike<number>;
  /** What an event says, given as `ownText`, as one object for all that say the same. */
  readonly shared: (own: string) => SharedOwn;
};

/** Adds the events of a trace in a chunk to its tree. Returns them with the numbers of their links. */
export function loadLinks(
  tree: LinkTree,
  trace: Trace,
  { chunk, links, shared }: LinkedChunk,
): Map<LinkNode, number> {
  const ids = chunk.ids('trace_id');
  const present = chunk.present();
  const [a, b, c, d] = trace.words;
  const added = new Map<LinkNode, number>();
  for (let place = 0; place < chunk.events; place++) {
    const at = place * ID_WORDS.trace_id;
    if (ids[at] !== a || ids[at + 1] !== b || ids[at + 2] !== c || ids[at + 3] !== d) continue;
    if (present[place] === 0) continue;
    const node = addSpan<LinkNode>(tree, nodeAt(chunk, place, shared), parentIdAt(chunk, place));
    if (node !== null) added.set(node, links[place] ?? 0);
  }
  return added;
}

/** Links the events of a tree that were loaded as they are stored, even if spans above were deleted since. */
export function restoreLinks(
  tree: LinkTree,
  loaded: ReadonlyMap<LinkNode, number>,
  numbers: LinkNumbers,
): void {
  relink(tree, [...loaded.keys()], (node) => loaded.has(node));
  for (const [node, number] of loaded) restore(tree, node, numbers.linkOf(number));
}

function restore(tree: LinkTree, node: LinkNode, stored: ReturnType<LinkNumbers['linkOf']>): void {
  if (stored === null) return;
  const { kind, caller, root, head, facts } = stored;
  Object.assign(node, { kind, caller, root, release: facts[0] ?? null });
  Object.assign(node, { version: facts[5] ?? null, rootVersion: facts[6] ?? null });
  if (!head || root === null) return;
  const other = tree.heads.get(root);
  if (other !== undefined) other.head = false;
  node.head = true;
  tree.heads.set(root, node);
}

function nodeAt(chunk: Chunk, place: number, shared: LinkedChunk['shared']): LinkNode {
  const shape = textAt(chunk, 'shape', place);
  const fields: Fields = shape === null ? {} : JSON.parse(shape);
  const text = (name: keyof Fields): string | null => (fields[name] as string | undefined) ?? null;
  // As in `spanLinksOf`: one without a place in the graph passes nothing on.
  const at = place * ID_WORDS.event_id;
  const isPlain = text('agent') === null && text('tool') === null && parentIdAt(chunk, place) === null;
  return linkNode({
    span: spanIdAt(chunk, place),
    ts: chunk.number('ts', place),
    // A copy, so that the node does not keep the chunk's ids in memory.
    ids: chunk.ids('event_id').slice(at, at + ID_WORDS.event_id),
    at: 0,
    seq: 0,
    place: 0,
    own: shared(
      ownText(
        ownLinkOf({
          kind: EVENT_KINDS[chunk.bytes('kind')[place] as number] ?? 'span',
          model: textAt(chunk, 'model', place),
          agent: text('agent'),
          tool: text('tool'),
          release: isPlain ? null : text('release'),
          environment: textAt(chunk, 'environment', place) ?? '',
          prompt_name: text('prompt_name'),
          prompt_version: text('prompt_version'),
          agent_version: isPlain ? null : text('agent_version'),
          provider: textAt(chunk, 'provider', place),
        }),
      ),
    ),
  });
}
