import type { Ctx, Service } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { createShare } from '../../../http/share.ts';
import type { Work } from '../../../http/work/work.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import type { NewItem } from '../contract.ts';
import { type ItemSchemas, itemCheck, schemasText } from './item-check.ts';

type Given = { readonly items: readonly NewItem[]; readonly schemas: ItemSchemas };
/** How many items do not fit, and the first of them by its place. */
type Misfits = { readonly count: number; readonly first: number; readonly problem: string };

/** Checks items away from the thread that serves HTTP: one value may take 100 ms. */
export const checkItemsWork: Work<Given, Misfits | null> = {
  name: 'datasets.check-items',
  *run({ items, schemas }) {
    const check = itemCheck(schemas);
    const problems = items.map((item) => check(item));
    const first = problems.findIndex((problem) => problem !== null);
    const count = problems.filter((problem) => problem !== null).length;
    yield count === 0 ? null : { count, first, problem: problems[first] ?? '' };
  },
};

export const checkShare: Service<FairGate> = {
  name: 'datasets.checks',
  open: () =>
    createShare('checks of items', { running: { total: 2, each: 1 }, waiting: { total: 60, each: 20 } }),
};

/** @throws AppError 400 that names the first item that does not fit, and the path in it */
export async function refuseMisfits(ctx: Ctx, organizationId: string, given: Given): Promise<void> {
  const { items, schemas } = given;
  if (schemasText(schemas) === null || items.length === 0) return;
  await ctx.use(checkShare).run(organizationId, async () => {
    const running = ctx.workers.start(checkItemsWork, given);
    try {
      const misfits = await running.next();
      if (misfits == null) return;
      const { count, first, problem } = misfits;
      const id = items[first]?.id;
      const more =
        count === 1 ? '' : `; ${count} of ${items.length} items do not fit the schemas of the dataset`;
      throw badRequest(`items.${first}${id === undefined ? '' : ` (${id})`}: ${problem}${more}`);
    } finally {
      running.stop();
    }
  });
}
