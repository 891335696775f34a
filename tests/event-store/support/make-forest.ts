import { spanEventId } from '../../../src/core/events/index.ts';
import { linkedEventId } from '../../../src/lib/linked-event-id.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { makeEvent, NOON } from './make-event.ts';
import { MODELS, type SentEvent } from './random-events.ts';

type Random = () => number;
const int = (random: Random, max: number): number => Math.floor(random() * max);
const hexId = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => int(random, 16).toString(16)).join('');

/** A span with the event id that is derived for it. */
export const makeSpan = (trace: string, id: string, given: Partial<SentEvent>): SentEvent => ({
  ...makeEvent({
    event_id: spanEventId(trace, id),
    trace_id: trace,
    span_id: id,
    cost_status: 'client',
    ...given,
  }),
  key_id: null,
});

/** Wrappers over SDK spans, events of the SDK among OTLP spans, agents that repeat sums, retries, rings, missing parents: some traces of them. */
export function makeForest(random: Random): SentEvent[] {
  return Array.from({ length: 1 + int(random, 3) }, () => {
    const trace = hexId(random, 32);
    const ids = Array.from({ length: 1 + int(random, 14) }, () => hexId(random, 16));
    return ids.map((id, place) => randomSpan(random, trace, { ids, id, place }));
  }).flat();
}

type Place = { readonly ids: readonly string[]; readonly id: string; readonly place: number };

function randomSpan(random: Random, trace: string, { ids, id, place }: Place): SentEvent {
  const kind = (['llm', 'llm', 'llm', 'embedding', 'agent', 'span'] as const)[int(random, 6)] ?? 'llm';
  const is_call = kind === 'llm' || kind === 'embedding';
  // Mostly an earlier span; sometimes any, itself included, or one that never comes.
  const dice = random();
  const parent =
    dice < 0.75 ? ids[int(random, place)] : dice < 0.9 ? ids[int(random, ids.length)] : hexId(random, 16);
  const [provider, model] = is_call ? (MODELS[int(random, MODELS.length)] ?? MODELS[0]) : [null, null];
  const fresh = random() < 0.4 ? 0 : int(random, 900);
  const linked = random() < 0.25 ? linkedEventId(trace, id) : null;
  return makeSpan(trace, id, {
    ...(linked !== null && { event_id: linked }),
    ts: NOON + int(random, 30) * HOUR_MS + int(random, 3),
    parent_span_id: place === 0 || parent === undefined ? null : parent,
    kind,
    provider,
    model,
    status: random() < 0.8 ? 'success' : 'rate_limited',
    latency_ms: random() < 0.2 ? null : int(random, 500),
    input_tokens: fresh,
    buckets: { ...makeEvent().buckets, fresh },
    is_call,
    user_id: random() < 0.5 ? 'ada' : null,
    session_id: random() < 0.5 ? 'chat' : null,
    cost_nano: is_call ? int(random, 1e7) : null,
    cost_status: is_call ? 'client' : null,
  });
}
