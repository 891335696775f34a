import { countedIn } from './counted-in.ts';
import type { SentEvent } from './random-events.ts';
import { isFailure } from './recount.ts';

type Caller = { readonly kind: 'agent' | 'tool'; readonly name: string };
type Seen = {
  readonly agent: string | null;
  readonly within: Caller | null;
  readonly root: string | null;
  readonly release: string | null;
  readonly version: string | null;
  readonly rootVersion: string | null;
};
const NOTHING: Seen = {
  ...{ agent: null, within: null, root: null },
  ...{ release: null, version: null, rootVersion: null },
};

/** An event and where it is in the graph. */
export type LinkedEvent = {
  readonly event: SentEvent;
  readonly kind: string;
  readonly name: string;
  readonly caller: Caller | null;
  readonly root: string | null;
  readonly head: boolean;
  /** Its own, or that of the span above. */
  readonly release: string | null;
  /** Of the nearest agent that it names or that is above, and of the outermost agent. */
  readonly version: string | null;
  readonly rootVersion: string | null;
};

/**
 * Who calls what in some traces, span by span: by walking up from each. Native events count as they are; OTLP spans
 * and linked events of one call count once.
 */
export function linksIn(forest: readonly SentEvent[], isNative: (one: SentEvent) => boolean): LinkedEvent[] {
  const byId = new Map(forest.map((one) => [one.trace_id + one.span_id, one]));
  const parentOf = (one: SentEvent): SentEvent | undefined =>
    one.parent_span_id === null ? undefined : byId.get(one.trace_id + one.parent_span_id);
  /** The earliest of a ring has no parent. */
  const isCut = (one: SentEvent): boolean => {
    const ring = [one];
    for (let up = parentOf(one); up !== one; up = parentOf(up)) {
      if (up === undefined || ring.includes(up)) return false;
      ring.push(up);
    }
    return ring.every((other) => other.ts > one.ts || (other.ts === one.ts && other.span_id >= one.span_id));
  };
  /** A first span that is no tool and names no agent has no place in the graph, and its release is not inherited. */
  const isPlain = (one: SentEvent): boolean =>
    one.parent_span_id === null && one.agent === null && one.tool === null;
  const aboveOf = (one: SentEvent): Seen => {
    const parent = isCut(one) ? undefined : parentOf(one);
    return parent === undefined ? NOTHING : below(parent);
  };
  /** The versions of a span's nearest and outermost agents. */
  const versionsOf = (one: SentEvent, above: Seen): Pick<Seen, 'version' | 'rootVersion'> => {
    const [agent, root] = [one.agent ?? above.agent, above.root ?? one.agent];
    if (agent === null) return { version: null, rootVersion: null };
    const version = one.agent_version ?? (agent === above.agent ? above.version : null);
    return { version, rootVersion: above.rootVersion ?? (agent === root ? version : null) };
  };
  /** What spans below a span see. */
  const below = (one: SentEvent): Seen => {
    const above = aboveOf(one);
    const isOther = one.agent !== null && one.agent !== above.agent;
    const tool: Caller | null =
      one.kind === 'tool' && one.tool !== null ? { kind: 'tool', name: one.tool } : null;
    const agent: Caller | null = isOther ? { kind: 'agent', name: one.agent as string } : null;
    return {
      agent: one.agent ?? above.agent,
      within: tool ?? agent ?? above.within,
      root: above.root ?? one.agent,
      release: isPlain(one) ? null : (one.release ?? above.release),
      ...versionsOf(one, above),
    };
  };
  const counted = new Set(countedIn(forest.filter((one) => !isNative(one))));
  const links = forest.flatMap((event): Omit<LinkedEvent, 'head'>[] => {
    const above = aboveOf(event);
    const root = above.root ?? event.agent;
    const facts = { release: event.release ?? above.release, ...versionsOf(event, above) };
    const isOther = event.agent !== null && event.agent !== above.agent;
    const named = isOther ? ({ kind: 'agent', name: event.agent as string } as const) : above.within;
    if (event.kind === 'agent')
      return isOther
        ? [{ event, kind: 'agent', name: event.agent as string, caller: above.within, root, ...facts }]
        : [];
    if (event.kind === 'tool')
      return event.tool === null
        ? []
        : [{ event, kind: 'tool', name: event.tool, caller: named, root, ...facts }];
    if (event.kind !== 'llm' && event.kind !== 'embedding') return [];
    if (named === null && root === null) return [];
    return [{ event, kind: 'model', name: event.model ?? '', caller: named, root, ...facts }];
  });
  const heads = new Set<SentEvent>();
  for (const run of Map.groupBy(links, ({ event, root }) =>
    JSON.stringify([event.trace_id, root]),
  ).values()) {
    if (run[0]?.root === null) continue;
    const agents = run.filter(({ kind }) => kind === 'agent');
    const order = (a: SentEvent, b: SentEvent): number => a.ts - b.ts || (a.span_id < b.span_id ? -1 : 1);
    const [first] = (agents.length > 0 ? agents : run).map(({ event }) => event).toSorted(order);
    if (first !== undefined) heads.add(first);
  }
  return links
    .filter(({ event, kind }) => kind !== 'model' || isNative(event) || counted.has(event))
    .map((link) => ({ ...link, head: heads.has(link.event) }));
}

/** Sums by what `groupsOf` says, as `EventStore.links` returns them, in the order of their texts. */
export function sumLinks(
  links: readonly LinkedEvent[],
  groupOf: (link: LinkedEvent) => Readonly<Record<string, unknown>>,
): unknown[] {
  const groups = Map.groupBy(links, (link) => JSON.stringify(groupOf(link)));
  const rows = [...groups].map(([group, own]) => {
    const events = own.map(({ event }) => event);
    const timed = events.filter(({ latency_ms }) => latency_ms !== null);
    const total = (of: (event: SentEvent) => number): number => events.reduce((sum, one) => sum + of(one), 0);
    return {
      ...JSON.parse(group),
      calls: own.length,
      errors: events.filter(isFailure).length,
      costNano: total(({ cost_nano }) => cost_nano ?? 0),
      unpriced: events.filter(({ cost_status }) => cost_status === 'unpriced').length,
      inputTokens: total(
        ({ buckets: { fresh, cacheRead, cacheWrite5m, cacheWrite1h } }) =>
          fresh + cacheRead + cacheWrite5m + cacheWrite1h,
      ),
      outputTokens: total(({ buckets: { output, reasoning } }) => output + reasoning),
      latencyAvg:
        timed.length === 0
          ? null
          : timed.reduce((sum, one) => sum + Math.floor((one.latency_ms ?? 0) * 1000 + 0.5), 0) /
            timed.length /
            1000,
    };
  });
  return inOrder(rows);
}

export const inOrder = (rows: readonly object[]): unknown[] =>
  rows
    .map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))),
    )
    .sort()
    .map((row) => JSON.parse(row));
