import type { Receipt } from '../../../src/core/events/batch.ts';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import type { EventStore } from '../../../src/core/events/store.ts';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import type { EffectCall } from '../../../src/db/effects.ts';
import type { SentEvent } from './random-events.ts';

type How = {
  readonly keyId?: string | null;
  readonly spans?: boolean;
  readonly effects?: readonly EffectCall[];
};

/** Records events as one batch. */
export const record = (
  store: EventStore,
  project: ProjectScope,
  events: readonly PricedEvent[],
  { keyId = null, spans = false, effects = [] }: How = {},
): Promise<Receipt> => {
  const priced = events.map((event) => ({ event, pricing: event }));
  return store.record(project, { events: priced, keyId, spans }, effects);
};

/** Most events of a batch. */
const BATCH = 60;

/** Records events as senders do: in no order, in batches of their key, three at a time, some of them twice. */
export async function send(
  store: EventStore,
  project: ProjectScope,
  events: readonly SentEvent[],
  random: () => number,
): Promise<void> {
  const twice = events.filter(() => random() < 0.1);
  const byKey = Map.groupBy(shuffled([...events, ...twice], random), ({ key_id }) => key_id);
  const batches = shuffled(
    [...byKey].flatMap(([keyId, own]) => inBatches(own).map((batch) => ({ keyId, batch }))),
    random,
  );
  const work = async (): Promise<void> => {
    for (let next = batches.pop(); next !== undefined; next = batches.pop())
      await record(store, project, next.batch, { keyId: next.keyId });
  };
  await Promise.all([work(), work(), work()]);
}

export const inBatches = <T>(values: readonly T[], size = BATCH): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const drawn = values.map((value) => [random(), value] as const);
  return drawn.sort(([a], [b]) => a - b).map(([, value]) => value);
}
