import type { EventBatch } from '../../../batch.ts';
import type { ParsedEvent } from '../../../event.ts';
import { createNames, LINK_FACTS, ownLinkOf } from '../../../links.ts';
import { ownText } from './link-text.ts';

/** What the events of a batch say of the graph of agents and tools. */
export type OwnLinks = {
  /** What is said, as `ownText`: as texts, because objects are copied to the writer's thread much slower. */
  readonly owns: readonly string[];
  /** By place one more than the index in `owns`; 0 for an event without a place in the graph. */
  readonly own: Uint32Array;
};

/**
 * Reads what the events of a batch say of the graph; null for a batch without any that has or may get a place there.
 * An event without a parent that is no tool and names no agent has none.
 */
export function ownLinksOf(events: EventBatch['events']): OwnLinks | null {
  const owns: string[] = [];
  const numbers = new Map<Said, number>();
  const own = new Uint32Array(events.length);
  for (let place = 0; place < events.length; place++) {
    const event = events[place]?.event as ParsedEvent;
    if (event.parent_span_id === null && event.agent === null && event.tool === null) continue;
    const said = saidBy(event);
    const number = numbers.get(said) ?? owns.push(said.text);
    numbers.set(said, number);
    own[place] = number;
  }
  return owns.length === 0 ? null : { owns, own };
}

type Facts = Pick<ParsedEvent, 'kind' | 'model' | 'tool' | (typeof LINK_FACTS)[number]>;
type Said = Facts & { readonly text: string };

const REMEMBERED = 5_000;
/** Of one agent and one model or tool: few, because they are compared one by one. */
const MOST_ALIKE = 16;

/** What events of this process said lately: batches are small, and each says much the same as those before. */
const lately = {
  names: createNames(),
  agents: new Map<string | null, Map<string | null, Said[]>>(),
  held: 0,
};

function saidBy(event: ParsedEvent): Said {
  const called = event.tool ?? event.model;
  const alike = lately.agents.get(event.agent)?.get(called);
  if (alike !== undefined) for (const one of alike) if (isSame(one, event)) return one;
  return remember(event, called);
}

function remember(event: ParsedEvent, called: string | null): Said {
  if (lately.held >= REMEMBERED) Object.assign(lately, { names: createNames(), agents: new Map(), held: 0 });
  const { kind, model, tool, release, environment, prompt_name, prompt_version, provider, agent_version } =
    event;
  const said = {
    ...{ kind, model, tool, release, environment, prompt_name, prompt_version, provider, agent_version },
    text: ownText(ownLinkOf(event, lately.names)),
  };
  const ofAgent = lately.agents.get(event.agent) ?? new Map<string | null, Said[]>();
  lately.agents.set(event.agent, ofAgent);
  const alike = ofAgent.get(called) ?? [];
  ofAgent.set(called, alike);
  lately.held++;
  if (alike.length >= MOST_ALIKE) alike.shift();
  alike.push(said);
  return said;
}

function isSame(a: Facts, b: Facts): boolean {
  if (a.kind !== b.kind || a.model !== b.model || a.tool !== b.tool) return false;
  for (const fact of LINK_FACTS) if (a[fact] !== b[fact]) return false;
  return true;
}
