import type { Ctx } from '../../../../../context.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { AppliedPrice } from '../../../../pricing/index.ts';

/** The numbers of a project's prices, as far as this process knows them. */
type Known = { readonly byPrice: WeakMap<AppliedPrice, number>; readonly byText: Map<string, number> };

const books = new WeakMap<Ctx, Map<number, Known>>();
const MAX_PROJECTS = 5_000;

/**
 * The number under which each price is kept, so that an event says in a byte or two by which price it was
 * priced. A price that was never used in the project before is written first, in a commit of its own: one
 * that no event refers to does no harm.
 */
export async function priceIdsOf(
  ctx: Ctx,
  project: number,
  calls: readonly { readonly applied: AppliedPrice | null }[],
): Promise<ReadonlyMap<AppliedPrice, number>> {
  const known = knownOf(ctx, project);
  const ids = new Map<AppliedPrice, number>();
  const missing = new Map<string, AppliedPrice[]>();
  for (const { applied } of calls) {
    if (applied === null || ids.has(applied)) continue;
    const id = known.byPrice.get(applied) ?? known.byText.get(JSON.stringify(applied));
    if (id !== undefined) remember(known, ids, applied, id);
    else missing.set(JSON.stringify(applied), [...(missing.get(JSON.stringify(applied)) ?? []), applied]);
  }
  if (missing.size === 0) return ids;
  const texts = [...missing.keys()];
  const numbers = await ctx.db.writer.write<number[]>(priceIdsOp.name, { project, texts });
  for (const [i, text] of texts.entries()) {
    const id = numbers[i] ?? 0;
    known.byText.set(text, id);
    for (const price of missing.get(text) ?? []) remember(known, ids, price, id);
  }
  return ids;
}

function remember(known: Known, ids: Map<AppliedPrice, number>, price: AppliedPrice, id: number): void {
  known.byPrice.set(price, id);
  ids.set(price, id);
}

function knownOf(ctx: Ctx, project: number): Known {
  const book = books.get(ctx) ?? new Map<number, Known>();
  books.set(ctx, book);
  const known = book.get(project) ?? { byPrice: new WeakMap(), byText: new Map() };
  if (book.size >= MAX_PROJECTS) book.clear();
  book.set(project, known);
  return known;
}

/** The numbers of prices that are JSON text already, in the same order. */
export const priceNumbersOf = (ctx: Ctx, project: number, texts: readonly string[]): Promise<number[]> =>
  texts.length === 0
    ? Promise.resolve([])
    : ctx.db.writer.write<number[]>(priceIdsOp.name, { project, texts });

/** Writes prices as JSON text, each once per project, and answers with their numbers in the same order. */
export const priceIdsOp: WriteOp<{ project: number; texts: readonly string[] }, number[]> = {
  name: 'events.price_ids',
  open(connection) {
    const find = connection.prepare('SELECT id FROM event_prices WHERE project = ? AND json = ?').raw(true);
    const insert = connection
      .prepare('INSERT INTO event_prices (project, json) VALUES (?, ?) RETURNING id')
      .raw(true);
    return {
      apply: ({ project, texts }) =>
        texts.map((text) => {
          const [found] = find.all([project, text]) as number[][];
          const [row] = found === undefined ? (insert.all([project, text]) as number[][]) : [found];
          return row?.[0] ?? 0;
        }),
    };
  },
};
