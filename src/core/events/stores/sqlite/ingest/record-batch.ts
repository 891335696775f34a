import type { Ctx } from '../../../../../context.ts';
import type { EventStore } from '../../../store.ts';
import { encodePack } from '../packs/encode-pack.ts';
import type { Unsealed } from './log-part.ts';
import type { PriceIds } from './price-ids.ts';
import { type RecordBatch, recordOp } from './record-op.ts';
import { sendSpanColumns, spanColumnsOf } from './span-columns.ts';

/**
 * `EventStore.record`: encodes the batch on this thread, so that the writer has little to do.
 * @param onStored is told how many events of the project, and of all projects, are not sealed
 */
export const createRecord =
  (
    { db }: Ctx,
    prices: PriceIds,
    onStored: (project: number, unsealed: Unsealed) => void,
  ): EventStore['record'] =>
  async ({ no }, { events, keyId, spans }, effects = []) => {
    const ids = await prices.idsOf(
      no,
      events.map(({ pricing }) => pricing.price),
    );
    const packed = events.map(({ event, pricing }) => ({
      event,
      pricing,
      price: pricing.price === null ? null : (ids.get(pricing.price) ?? null),
    }));
    const spanColumns = spanColumnsOf(events, spans);
    const batch: RecordBatch = {
      project: no,
      keyId,
      ...encodePack(packed),
      times: Float64Array.from(events, ({ event }) => event.ts),
      spans: spanColumns === null ? null : sendSpanColumns(spanColumns),
      undated: events.flatMap(({ event }, place) => (event.dated ? [] : [place])),
      effects,
    };
    const weight = effects.reduce((sum, { rows = 0 }) => sum + rows, events.length);
    const { unsealed, ...receipt } = await db.writer.write(recordOp, batch, weight);
    onStored(no, unsealed);
    return receipt;
  };
