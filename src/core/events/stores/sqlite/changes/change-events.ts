import type { Ctx } from '../../../../../context.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import { ofProject, type ProjectScope } from '../../../../tenancy/index.ts';
import { type ChangeProgress, type EventChange, type EventChanges, START } from '../../../change.ts';
import type { PriceIds } from '../rows/price-ids.ts';
import { type RestoreSlice, repriceOp, restoreOp, type SliceReply } from './change-ops.ts';
import { type PageInput, type PricedPage, pricePageRead } from './price-page.ts';
import type { Position } from './select-calls.ts';

/** Maximum number of changes per page of a dry run, so that its reply stays small. */
const PREVIEWED = 1_000;

/** See `EventChanges`. A cursor is the JSON of the last event examined. */
export function createChanges(ctx: Ctx, prices: PriceIds): EventChanges {
  const readPage = async (scope: ProjectScope, input: PageInput): Promise<PricedPage> =>
    (await ctx.db.read(pricePageRead, ofProject(scope), input)).parse();

  async function write<S>(op: WriteOp<S, SliceReply>, slice: S): Promise<SliceReply & { tripMs: number }> {
    const since = performance.now();
    const reply = await ctx.db.writer.write(op, slice);
    return { ...reply, tripMs: performance.now() - since };
  }

  const reprice = async (
    scope: ProjectScope,
    { id, calls, pricesVersion: version }: EventChange & { kind: 'reprice' },
    { cursor, rows: limit, effects }: SliceWork,
  ): Promise<ChangeProgress> => {
    const page = await readPage(scope, { calls, after: toPosition(cursor), limit, version });
    const numbers = await prices.idsOfTexts(scope.no, page.prices);
    const changes = page.changes.map((change) => ({
      ...change,
      price: change.price === null ? null : (numbers[change.price] ?? null),
    }));
    const last = changes.at(-1);
    const end = page.next ?? (last === undefined ? null : ([last.ts, last.id] as const));
    const reached = end === null ? cursor : JSON.stringify(end);
    const done = await write(repriceOp, { id, project: scope.no, changes, cursor: reached, effects });
    return { ...done, next: page.next === null ? null : reached };
  };

  const restore = async (
    { no: project }: ProjectScope,
    { id }: EventChange,
    { cursor, rows, effects }: SliceWork,
  ): Promise<ChangeProgress> => {
    const done = await write(restoreOp, { id, project, rows, cursor, effects });
    return { ...done, next: done.changed + done.gone < rows ? null : cursor };
  };

  return {
    change: (scope, change, from, effects = []) =>
      change.kind === 'reprice'
        ? reprice(scope, change, { ...from, effects })
        : restore(scope, change, { ...from, effects }),
    async previewReprice(scope, calls, { cursor, pricesVersion: version }) {
      const input = { calls, after: toPosition(cursor), limit: PREVIEWED, version };
      const page = await readPage(scope, input);
      return {
        pricesVersion: page.version,
        looked: page.looked,
        changes: page.changes.length,
        differences: page.differences,
        next: page.next === null ? null : JSON.stringify(page.next),
      };
    },
  };
}

type SliceWork = Pick<RestoreSlice, 'cursor' | 'rows' | 'effects'>;

const toPosition = (cursor: string): Position | null => (cursor === START ? null : JSON.parse(cursor));
