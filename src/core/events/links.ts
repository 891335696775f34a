import type { ParsedEvent } from './event.ts';
import type { Window } from './selection.ts';

/** What a span calls: an agent, a tool or a model. */
export const LINK_KINDS = ['agent', 'tool', 'model'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** A caller: an agent or a tool. */
export type LinkCaller = { readonly kind: 'agent' | 'tool'; readonly name: string };

/** What one event says of the graph by itself. */
export type OwnLink = {
  /** Null if the event calls nothing. */
  readonly kind: LinkKind | null;
  /** Name of what is called: '' for a model that is not named. */
  readonly name: string;
  /** The agent that the event names. */
  readonly agent: string | null;
  /** The event's values of `LINK_FACTS`, in their order. */
  readonly facts: readonly (string | null)[];
};

/**
 * Fields of an event that its link keeps, so that figures can be grouped by them. The release is the first; the version
 * of the agent is the last, and in a link the version of the outermost agent follows it.
 */
export const LINK_FACTS = [
  'release',
  'environment',
  'prompt_name',
  'prompt_version',
  'provider',
  'agent_version',
] as const;
/** The facts that every link has. */
export const BASIC_FACTS = LINK_FACTS.length - 1;

type Linkable = Pick<ParsedEvent, 'kind' | 'model' | 'agent' | 'tool' | (typeof LINK_FACTS)[number]>;

/** Names in the registry of what was sent; for many events, whose names repeat. */
export function createNames(): (sent: string) => string | null {
  const names = new Map<string, string | null>();
  return (sent) => {
    const known = names.get(sent);
    if (known !== undefined) return known;
    const name = registryName(sent);
    names.set(sent, name);
    return name;
  };
}

/** What an event says of the graph by itself. @param nameOf gives the name in the registry of what was sent */
export function ownLinkOf(event: Linkable, nameOf: (sent: string) => string | null = registryName): OwnLink {
  const agent = event.agent === null ? null : nameOf(event.agent);
  const tool = event.tool === null ? null : nameOf(event.tool);
  const facts = LINK_FACTS.map((fact) => event[fact]);
  if (event.kind === 'agent' && agent !== null) return { kind: 'agent', name: agent, agent, facts };
  if (event.kind === 'tool' && tool !== null) return { kind: 'tool', name: tool, agent, facts };
  if (event.kind === 'llm' || event.kind === 'embedding')
    return { kind: 'model', name: event.model ?? '', agent, facts };
  return { kind: null, name: '', agent, facts };
}

/** A UUID, or many digits, that a framework appends to a name for each instance. */
const INSTANCE = /[\s_:#./-]+(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{6,})$/i;

/**
 * The name of an agent or tool in the registry: white space is trimmed and collapsed, and the id of an instance at the
 * end is removed. Null if nothing is left.
 */
export function registryName(sent: string): string | null {
  const plain = sent.trim().replace(/\s+/g, ' ');
  return plain.replace(INSTANCE, '') || plain || null;
}

/** Dimensions of sums by link. `head`: 'yes' for the span that stands for a run. */
export type LinkDimension =
  | 'kind'
  | 'name'
  | 'callerKind'
  | 'callerName'
  | 'root'
  | 'head'
  | 'release'
  | 'environment'
  | 'promptName'
  | 'promptVersion'
  | 'provider'
  /** The version of the agent that is called, or that calls. */
  | 'agentVersion'
  /** The version of the outermost agent. */
  | 'rootVersion';

/** Sums of what agents and tools call, in a window that is widened to whole hours. */
export type LinksQuery = {
  readonly window: Window;
  readonly groupBy: readonly LinkDimension[];
  /** Values that are wanted of some dimensions. */
  readonly filters?: Partial<Readonly<Record<LinkDimension, readonly (string | null)[]>>>;
  /** Only what concerns this agent: calls of it, calls that it makes, and all in its runs. */
  readonly agent?: string;
  /** Names that count as others: agents and tools that people merged. */
  readonly renames?: LinkRenames;
  /** Also groups by UTC hour or day. */
  readonly bucket?: 'hour' | 'day';
  /** Also tells the calls of each group by UTC day, which is far less than a row for each day. */
  readonly dailyCalls?: true;
  /**
   * Also computes percentiles for so many groups with most calls, without `bucket` and by kind, name, caller and
   * environment alone. Each takes 6 kB meanwhile.
   */
  readonly percentiles?: number;
};

/** The name that counts in place of another. */
export type LinkRenames = Readonly<Record<'agent' | 'tool', Readonly<Record<string, string>>>>;

/** A query as the readers get it. */
export type LinksInput = { readonly projects: readonly number[]; readonly query: LinksQuery };

/** Sums of one group. Costs in nano-dollars, times in milliseconds; `time` is the start of the bucket. */
export type LinkRow = { readonly [D in LinkDimension]?: string | null } & {
  readonly time: number | null;
  readonly calls: number;
  readonly errors: number;
  readonly costNano: number;
  /** Calls of models without a price. */
  readonly unpriced: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null without calls that have a latency; percentiles also if none were asked for. */
  readonly latencyAvg: number | null;
  readonly latencyP50: number | null;
  readonly latencyP95: number | null;
  /** Calls by UTC day of the window, from its first day to its last; only if they were asked for. */
  readonly dailyCalls?: readonly number[];
};

/** The starts of the hours in which something was first and last seen, epoch milliseconds. */
export type LinkTimes = {
  readonly kind: LinkKind;
  readonly name: string;
  readonly first: number;
  readonly last: number;
};
