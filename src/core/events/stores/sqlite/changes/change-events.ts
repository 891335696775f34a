import type { Ctx } from '../../../../../context.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import type { ReadOp } from '../../../../../db/reader.ts';
import { unavailable } from '../../../../../errors.ts';
import { ofProject, type ProjectScope } from '../../../../tenancy/index.ts';
import {
  type ChangeOutcome,
  type ChangeProgress,
  type EventChange,
  type EventChanges,
  START,
} from '../../../change.ts';
import { readEvents } from '../damage/read-events.ts';
import type { PriceIds } from '../ingest/price-ids.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { CostEdit } from './cost-edit.ts';
import { type CostSlice, editCostsOp, type PieceEdit } from './edit-costs-op.ts';
import { forgetCostsOp, inSlices, keepCostsOp } from './kept-costs.ts';
import { type PageInput, previewRead, type RepricePage, repriceRead } from './price-pages.ts';
import { restoreRead } from './restore-page.ts';

/** The reads of changes, for the manifest. */
export const changeReads: readonly ReadOp[] = [previewRead, repriceRead, restoreRead];

/** Attempts if a segment changes between its reading and its writing. */
const ATTEMPTS = 20;

/**
 * See `EventChanges`. The first slice seals the events of the range. Each slice changes all events of a segment, because
 * all of its costs are encoded anew. The old costs are kept before the transaction of the slice and forgotten after it,
 * a few at a time: a kept cost that is not the event's, because a slice failed, changes nothing when it is restored. A
 * cursor is the number of a segment.
 */
export function createChanges(ctx: Ctx, prices: PriceIds, sealer: Sealer): EventChanges {
  const read = async (scope: ProjectScope, input: PageInput): Promise<RepricePage> => {
    const page = (await readEvents(ctx, repriceRead, ofProject(scope), input)).parse();
    if (page.missing.length === 0) return page;
    await prices.idsOfTexts(scope.no, page.missing);
    return (await readEvents(ctx, repriceRead, ofProject(scope), input)).parse();
  };

  /**
   * Reads and writes a slice until its segment did not change in between. `keep` runs before each write, `forget` after
   * one that changed nothing.
   */
  async function apply<P>(
    page: () => Promise<P>,
    sliceOf: (page: P) => CostSlice,
    kept?: { keep(page: P): Promise<void>; forget(page: P): Promise<void> },
  ): Promise<{ page: P; ms: number; tripMs: number; outcome: ChangeOutcome }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await page();
      const slice = sliceOf(found);
      await kept?.keep(found);
      const since = performance.now();
      const reply = await ctx.db.writer.write(editCostsOp, slice);
      const tripMs = performance.now() - since;
      if (reply !== null) return { page: found, ms: reply.ms, tripMs, outcome: slice.outcome };
      await kept?.forget(found);
    }
    throw unavailable('The events change all the time; try again', 1);
  }

  async function reprice(
    scope: ProjectScope,
    { id, calls, pricesVersion: version }: EventChange & { kind: 'reprice' },
    { cursor, effects }: SliceWork,
  ): Promise<ChangeProgress> {
    if (cursor === START) await sealer.sealAll(scope.no, calls.to);
    const from = toNumber(cursor);
    const of = { id, project: scope.no };
    const { page, outcome, ...times } = await apply(
      () => read(scope, { calls, from, version }),
      ({ edit, reached }) => ({
        project: scope.no,
        edit: edit && decoded(edit),
        outcome: {
          changed: edit?.changed ?? 0,
          gone: 0,
          costNano: edit?.costNano ?? 0,
          cursor: String(reached),
        },
        effects,
      }),
      {
        keep: ({ edit }) => inSlices(ctx.db.writer, keepCostsOp, { ...of, keys: edit?.keys ?? [] }),
        forget: ({ edit }) => inSlices(ctx.db.writer, forgetCostsOp, { ...of, keys: edit?.keys ?? [] }),
      },
    );
    return { ...outcome, ...times, next: page.isLast ? null : outcome.cursor };
  }

  async function restore(
    scope: ProjectScope,
    { id }: EventChange,
    { cursor, effects }: SliceWork,
  ): Promise<ChangeProgress> {
    const { page, outcome, ...times } = await apply(
      async () => (await readEvents(ctx, restoreRead, ofProject(scope), { id })).parse(),
      ({ edit, gone }) => ({
        project: scope.no,
        edit: edit && decoded(edit),
        outcome: { changed: edit?.changed ?? 0, gone, costNano: edit?.costNano ?? 0, cursor },
        effects,
      }),
    );
    await inSlices(ctx.db.writer, forgetCostsOp, { id, project: scope.no, keys: page.keys });
    return { ...outcome, ...times, next: page.isLast ? null : cursor };
  }

  return {
    change: (scope, change, { cursor }, effects = []) =>
      change.kind === 'reprice'
        ? reprice(scope, change, { cursor, effects })
        : restore(scope, change, { cursor, effects }),
    async previewReprice(scope, calls, { cursor, pricesVersion }) {
      if (cursor === START) await sealer.sealAll(scope.no, calls.to);
      const input = { calls, from: toNumber(cursor), version: pricesVersion };
      const { version, next, ...page } = (
        await readEvents(ctx, previewRead, ofProject(scope), input)
      ).parse();
      return { ...page, pricesVersion: version, next: next === null ? null : String(next) };
    },
  };
}

type SliceWork = { readonly cursor: string; readonly effects: readonly EffectCall[] };

const toNumber = (cursor: string): number => (cursor === START ? 0 : Number(cursor));

const decoded = ({ segment, small, pieces, removed, sums }: CostEdit): PieceEdit => ({
  segment,
  small: Uint8Array.fromBase64(small),
  pieces: pieces.map(([piece, data]) => [piece, Uint8Array.fromBase64(data)] as const),
  removed,
  sums,
});
