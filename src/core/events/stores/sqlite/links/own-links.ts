import type { EventBatch } from '../../../batch.ts';
import type { ParsedEvent } from '../../../event.ts';
import { createNames, LINK_FACTS, type OwnLink, ownLinkOf } from '../../../links.ts';

/** What the events of a batch say of the graph of agents and tools. */
export type OwnLinks = {
  /** What is said, each once. */
  readonly owns: readonly OwnLink[];
  /** By place one more than the index in `owns`; 0 for an event without a place in the graph. */
  readonly own: Uint32Array;
};

/**
 * Reads what the events of a batch say of the graph; null for a batch without any that has or may get a place there.
 * An event without a parent that is no tool and names no agent has none.
 */
export function ownLinksOf(events: EventBatch['events']): OwnLinks | null {
  const owns: OwnLink[] = [];
  const numberOf = createNumbers(owns);
  const own = new Uint32Array(events.length);
  for (let place = 0; place < events.length; place++) {
    const event = events[place]?.event as ParsedEvent;
    if (event.parent_span_id === null && event.agent === null && event.tool === null) continue;
    own[place] = numberOf(event);
  }
  return owns.length === 0 ? null : { owns, own };
}

type Known = { readonly event: ParsedEvent; readonly number: number };

/** Numbers what events say, from 1. Most batches repeat few values, so that these are compared one by one. */
function createNumbers(owns: OwnLink[]): (event: ParsedEvent) => number {
  const names = createNames();
  const agents = new Map<string | null, Map<string | null, Known[]>>();
  return (event) => {
    const called = event.tool ?? event.model;
    const ofAgent = agents.get(event.agent) ?? new Map<string | null, Known[]>();
    if (ofAgent.size === 0) agents.set(event.agent, ofAgent);
    const known = ofAgent.get(called) ?? [];
    if (known.length === 0) ofAgent.set(called, known);
    for (const one of known) if (isSame(one.event, event)) return one.number;
    const number = owns.push(ownLinkOf(event, names));
    known.push({ event, number });
    return number;
  };
}

function isSame(a: ParsedEvent, b: ParsedEvent): boolean {
  if (a.kind !== b.kind || a.model !== b.model || a.tool !== b.tool) return false;
  for (const fact of LINK_FACTS) if (a[fact] !== b[fact]) return false;
  return true;
}
