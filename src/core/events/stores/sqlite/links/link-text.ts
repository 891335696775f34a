import type { Link } from '../../../link-tree.ts';
import { BASIC_FACTS, type LinkKind, type OwnLink } from '../../../links.ts';
import { OTHER } from '../../../metrics.ts';

/**
 * A link as its number stands for it: JSON of an array, so that equal links have equal texts. Versions of agents are at
 * its end, and left out where there are none.
 */
export function linkText({ kind, name, caller, root, head, facts }: Link): string {
  const said = facts.slice(
    0,
    1 +
      Math.max(
        BASIC_FACTS - 1,
        facts.findLastIndex((fact) => fact !== null),
      ),
  );
  return JSON.stringify([
    kind,
    name,
    caller?.kind ?? null,
    caller?.name ?? null,
    root,
    Number(head),
    ...said,
  ]);
}

type Stored = readonly [LinkKind, string, 'agent' | 'tool' | null, string | null, string | null, 0 | 1];

/** Reads `linkText`. */
export function parseLink(text: string): Link {
  const [kind, name, callerKind, callerName, root, head, ...facts] = JSON.parse(text) as [
    ...Stored,
    ...(string | null)[],
  ];
  const caller = callerKind === null ? null : { kind: callerKind, name: callerName ?? '' };
  return { kind, name, caller, root, head: head === 1, facts };
}

/** What an event says of the graph by itself, so that what is equal has equal texts. */
export const ownText = ({ kind, name, agent, facts }: OwnLink): string =>
  JSON.stringify([kind, name, agent, ...facts]);

/** Reads `ownText`. */
export function parseOwn(text: string): OwnLink {
  const [kind, name, agent, ...facts] = JSON.parse(text) as [
    LinkKind | null,
    string,
    string | null,
    ...(string | null)[],
  ];
  return { kind, name, agent, facts };
}

/** The text of the edge of the graph that a link belongs to: without run, release, prompt and provider. */
export function edgeText({ kind, name, caller, facts }: Link): string {
  const [, environment = null] = facts;
  const edge = [null, environment, null, null, null];
  return linkText({ kind, name, caller, root: null, head: false, facts: edge });
}

/** The same link with `OTHER` for its names, for projects with very many. */
export function mergedLink(text: string): string {
  const { kind, caller, root, head } = parseLink(text);
  const named = (one: unknown): string | null => (one === null ? null : OTHER);
  return JSON.stringify([kind, OTHER, caller?.kind ?? null, named(caller), named(root), Number(head)]);
}
