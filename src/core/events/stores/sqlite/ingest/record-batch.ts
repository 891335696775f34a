import type { Ctx } from '../../../../../context.ts';
import type { AppliedPrice } from '../../../../pricing/index.ts';
import type { Pricing } from '../../../event.ts';
import type { EventStore } from '../../../store.ts';
import type { PriceIds } from '../rows/price-ids.ts';
import { type RowPricing, takeShapes, toRow } from '../rows/row.ts';
import { type RecordBatch, recordOp } from './record-op.ts';

/** `EventStore.record`: resolves prices to numbers, converts events to rows and sends them to the writer as text. */
export const createRecord =
  (ctx: Ctx, prices: PriceIds): EventStore['record'] =>
  async ({ no }, { events, keyId, spans }, effects = []) => {
    const ids = await prices.idsOf(
      no,
      events.map(({ pricing }) => pricing.price),
    );
    const rows = events.map(({ event, pricing }) => toRow(no, event, withId(pricing, ids)));
    const batch: RecordBatch = {
      project: no,
      keyId,
      shapes: takeShapes(rows),
      rows: JSON.stringify(rows),
      spans,
      undated: events.flatMap(({ event }, place) => (event.dated ? [] : [place])),
      effects,
    };
    const weight = effects.reduce((sum, { rows: own = 0 }) => sum + own, events.length);
    return ctx.db.writer.write(recordOp, batch, weight);
  };

const withId = ({ price, ...pricing }: Pricing, ids: ReadonlyMap<AppliedPrice, number>): RowPricing => ({
  ...pricing,
  price: price === null ? null : (ids.get(price) ?? null),
});
