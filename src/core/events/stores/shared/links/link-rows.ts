import { type Sketch, sketchQuantile } from '../../../../../lib/sketch.ts';
import type { Link } from '../../../link-tree.ts';
import { BASIC_FACTS, type LinkDimension, type LinkRow, type LinksQuery } from '../../../links.ts';

/** Sums of a group of links, in the order of `LINK_SUMS`. */
export type Group = {
  readonly key: readonly (string | null)[];
  readonly time: number | null;
  readonly sums: number[];
  sketch: Sketch | null;
};

export const byCalls = (a: Group, b: Group): number => (b.sums[0] ?? 0) - (a.sums[0] ?? 0);

/** The link with the names that count. */
export function renameLink(link: Link, renames: LinksQuery['renames']): Link {
  if (renames === undefined) return link;
  const { kind, name, caller, root } = link;
  const rename = (of: 'agent' | 'tool', given: string): string =>
    Object.hasOwn(renames[of], given) ? (renames[of][given] ?? given) : given;
  return {
    ...link,
    name: kind === 'model' ? name : rename(kind, name),
    caller: caller === null ? null : { kind: caller.kind, name: rename(caller.kind, caller.name) },
    root: root === null ? null : rename('agent', root),
  };
}

/** Whether a link has the values that are wanted. */
export const isWanted = (link: Link, filters: LinksQuery['filters'] = {}): boolean =>
  Object.entries(filters).every(
    ([dimension, values]) =>
      values === undefined || values.includes(dimensionOf(link, dimension as LinkDimension)),
  );

export function dimensionOf(
  { kind, name, caller, root, head, facts }: Link,
  dimension: LinkDimension,
): string | null {
  const [release = null, environment = null, promptName = null, promptVersion = null, provider = null] =
    facts;
  const [version = null, rootVersion = null] = facts.slice(BASIC_FACTS);
  switch (dimension) {
    case 'kind':
      return kind;
    case 'name':
      return name;
    case 'callerKind':
      return caller?.kind ?? null;
    case 'callerName':
      return caller?.name ?? null;
    case 'root':
      return root;
    case 'head':
      return head ? 'yes' : 'no';
    case 'release':
      return release;
    case 'environment':
      return environment;
    case 'promptName':
      return promptName;
    case 'promptVersion':
      return promptVersion;
    case 'provider':
      return provider;
    case 'agentVersion':
      return version;
    case 'rootVersion':
      return rootVersion;
  }
}

export function toRow(groupBy: readonly LinkDimension[], group: Group): LinkRow {
  const [
    calls = 0,
    errors = 0,
    costNano = 0,
    unpriced = 0,
    inputTokens = 0,
    outputTokens = 0,
    micros = 0,
    timed = 0,
  ] = group.sums;
  const quantile = (q: number): number | null => {
    const value = group.sketch === null ? null : sketchQuantile(group.sketch, q);
    return value === null ? null : value / 1000;
  };
  return {
    ...Object.fromEntries(groupBy.map((dimension, i) => [dimension, group.key[i] ?? null])),
    time: group.time,
    calls,
    errors,
    costNano,
    unpriced,
    inputTokens,
    outputTokens,
    latencyAvg: timed === 0 ? null : micros / timed / 1000,
    latencyP50: quantile(0.5),
    latencyP95: quantile(0.95),
  };
}
