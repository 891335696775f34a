import { type Sketch, sketchQuantile } from '../../../../../lib/sketch.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { Link } from '../../../link-tree.ts';
import { BASIC_FACTS, type LinkDimension, type LinkRow, type LinksQuery } from '../../../links.ts';

/** Sums of a group of links, in the order of `LINK_SUMS`. */
export type Group = {
  readonly key: readonly (string | null)[];
  readonly time: number | null;
  readonly sums: number[];
  sketch: Sketch | null;
  /** Calls by day; null if they were not asked for. */
  readonly days: number[] | null;
};

/** Calls by day of a new group. */
export const createDays = ({ dailyCalls, window: { from, to } }: LinksQuery): number[] | null =>
  dailyCalls === undefined
    ? null
    : new Array<number>(Math.ceil(to / DAY_MS) - Math.floor(from / DAY_MS)).fill(0);

/** Adds calls at a time to those of its day. */
export function addToDay(
  { days }: Group,
  { window }: LinksQuery,
  { time, calls }: { readonly time: number; readonly calls: number },
): void {
  if (days === null) return;
  const day = Math.floor(time / DAY_MS) - Math.floor(window.from / DAY_MS);
  days[day] = (days[day] ?? 0) + calls;
}

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

/** Tells whether a query is about a link, given with the names that count. */
export function createWanted({ filters = {}, agent }: LinksQuery): (link: Link) => boolean {
  const wanted = Object.entries(filters).flatMap(([dimension, values]) =>
    values === undefined ? [] : [[dimension as LinkDimension, new Set(values)] as const],
  );
  return (link) =>
    wanted.every(([dimension, values]) => values.has(dimensionOf(link, dimension))) &&
    (agent === undefined || concerns(link, agent));
}

const concerns = ({ kind, name, caller, root }: Link, agent: string): boolean =>
  (kind === 'agent' && name === agent) ||
  (caller?.kind === 'agent' && caller.name === agent) ||
  root === agent;

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
    ...(group.days === null ? {} : { dailyCalls: group.days }),
  };
}
