import { LRUCache } from 'lru-cache';
import type { Ctx } from '../../../../../context.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { AppliedPrice } from '../../../../pricing/index.ts';

/**
 * Numbers of a project's prices, so that an event references its price in a byte or two. A new price is committed
 * before its events; an unreferenced price is harmless.
 */
export type PriceIds = {
  /** The numbers of prices; nulls are skipped. */
  idsOf(
    project: number,
    prices: readonly (AppliedPrice | null)[],
  ): Promise<ReadonlyMap<AppliedPrice, number>>;
  /** Numbers of prices given as JSON text, in the same order. */
  idsOfTexts(project: number, texts: readonly string[]): Promise<readonly number[]>;
};

/** Numbers of a project's prices. A pricer returns the same object for every call, so most look-ups build no text. */
type Known = WeakMap<AppliedPrice, number>;

const MAX_PROJECTS = 5_000;
const MAX_TEXTS = 20_000;

export function createPriceIds(ctx: Ctx): PriceIds {
  const projects = new LRUCache<number, Known>({ max: MAX_PROJECTS });
  /** By project and JSON, for new objects of prices that are known. */
  const texts = new LRUCache<string, number>({ max: MAX_TEXTS });

  function knownOf(project: number): Known {
    const known = projects.get(project) ?? new WeakMap();
    projects.set(project, known);
    return known;
  }

  const idsOfTexts: PriceIds['idsOfTexts'] = (project, wanted) =>
    wanted.length === 0 ? Promise.resolve([]) : ctx.db.writer.write(priceIdsOp, { project, texts: wanted });

  return {
    idsOfTexts,
    async idsOf(project, prices) {
      const known = knownOf(project);
      const ids = new Map<AppliedPrice, number>();
      const missing = new Map<string, AppliedPrice[]>();
      for (const price of prices) {
        if (price === null || ids.has(price)) continue;
        const id = known.get(price) ?? texts.get(`${project} ${JSON.stringify(price)}`);
        if (id !== undefined) remember(known, ids, price, id);
        else missing.set(JSON.stringify(price), [...(missing.get(JSON.stringify(price)) ?? []), price]);
      }
      if (missing.size === 0) return ids;
      const added = [...missing.keys()];
      const numbers = await idsOfTexts(project, added);
      for (const [i, text] of added.entries()) {
        const id = numbers[i] ?? 0;
        texts.set(`${project} ${text}`, id);
        for (const price of missing.get(text) ?? []) remember(known, ids, price, id);
      }
      return ids;
    },
  };
}

function remember(known: Known, ids: Map<AppliedPrice, number>, price: AppliedPrice, id: number): void {
  known.set(price, id);
  ids.set(price, id);
}

/** Stores prices as JSON text, once per project, and returns their numbers in the same order. */
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
