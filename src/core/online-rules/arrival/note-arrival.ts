import type { Ctx } from '../../../context.ts';
import type { EffectCall } from '../../../db/effects.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { isSampled, type ParsedEvent } from '../../events/index.ts';
import type { KeyScope } from '../../tenancy/index.ts';
import { passContent } from './held-content.ts';
import { queueCall } from './queue-traces.ts';
import { type ArrivalRule, rulesOfProject } from './rules-of-project.ts';

/** Older events are of an import: a back-fill judges them. */
const OLDEST_MS = DAY_MS;

/** How the events of a sender meet the rules of its project. */
export type Arrival = {
  /** Whether parsing must leave content in the events, because a rule judges what is not stored. */
  readonly passesContent: boolean;
  /** Takes content that is not stored out of the events, and queues their traces for the rules. */
  note<E extends ParsedEvent>(events: readonly E[]): { events: readonly E[]; effects: EffectCall[] };
};

const NOTHING: Arrival = { passesContent: false, note: (events) => ({ events, effects: [] }) };

/** What must be done with the events of a key before they are recorded. */
export async function arrivalOf(ctx: Ctx, key: KeyScope): Promise<Arrival> {
  const rules = await rulesOfProject(ctx, key.projectId);
  if (rules.length === 0) return NOTHING;
  const inMemory = key.storePrompts ? [] : rules.filter(({ judgesUnstored }) => judgesUnstored);
  const passesContent = inMemory.length > 0;
  return {
    passesContent,
    note(events) {
      const effects = effectsOf(ctx, key, { rules, events });
      if (!passesContent) return { events, effects };
      const largest = Math.max(...inMemory.map(({ sampleRate }) => sampleRate));
      const delayMs = Math.max(...inMemory.map(({ delaySeconds }) => delaySeconds)) * 1_000;
      const held = { project: key.no, delayMs };
      for (const event of events)
        if (isNew(ctx, event) && isSampled(event.trace_id, largest)) passContent(ctx, held, event);
      return { events: events.map((event) => ({ ...event, input: null, output: null })), effects };
    },
  };
}

const isNew = (ctx: Ctx, { ts }: ParsedEvent): boolean => ts >= ctx.now() - OLDEST_MS;

type Given = { readonly rules: readonly ArrivalRule[]; readonly events: readonly ParsedEvent[] };

function effectsOf(ctx: Ctx, { no: project, projectId }: KeyScope, { rules, events }: Given): EffectCall[] {
  const traces = new Map<string, number[]>();
  for (const [place, event] of events.entries()) {
    if (!isNew(ctx, event)) continue;
    const places = traces.get(event.trace_id);
    if (places === undefined) traces.set(event.trace_id, [place]);
    else places.push(place);
  }
  return queueCall({
    project,
    projectId,
    now: ctx.now(),
    rules: rules.map(({ id, sampleRate, delaySeconds }) => ({
      id,
      delayMs: delaySeconds * 1_000,
      traces: Array.from(traces, ([traceId, places]) => ({ traceId, events: places })).filter(({ traceId }) =>
        isSampled(traceId, sampleRate),
      ),
    })),
  });
}
