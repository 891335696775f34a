import type { ReadSession } from '../../../../db/reader.ts';
import { AppError } from '../../../../errors.ts';
import { COST_STATUSES } from '../../contract.ts';
import { OTHER } from '../../metrics.ts';
import type { Engine } from '../clickhouse/engine/engine.ts';
import { sql } from '../clickhouse/engine/sql.ts';
import { tagText } from '../sqlite/labels/labels.ts';
import { toUuid } from '../sqlite/packs/id-bytes.ts';
import { readOp } from '../sqlite/read-op.ts';
import { toBytes } from '../sqlite/segments/segment-blobs.ts';
import { priceOf, type Referred } from './file-rows.ts';
import { clearProject, projectIs } from './target.ts';

/** Rows that are read and inserted at once. */
const AT_ONCE = 10_000;
const FRESH = { deduplicate_insert: 'disable' } as const;

type Place = readonly [repricing: string, ts: number, id: string];
type KeptCost = Readonly<Record<'repricing' | 'event_id' | 'price', string>> & {
  readonly ts: number;
  readonly cost_nano: number | null;
  readonly cost_status: string | null;
};
type KeptCosts = { readonly costs: readonly KeptCost[]; readonly next: Place | null };

/** What events cost before re-pricings, in order, from a place on. */
const keptCostsRead = readOp(
  'move-kept-costs',
  (
    reader,
    { project, after, referred }: { project: number; after: Place; referred: Pick<Referred, 'prices'> },
  ): KeptCosts => {
    const rows = reader.rows(
      `SELECT repricing, ts, event_id, old_cost, old_status, old_price FROM repriced_events
       WHERE project = ? AND (repricing, ts, event_id) > (?, ?, unhex(?)) ORDER BY repricing, ts, event_id LIMIT ?`,
      [project, ...after, AT_ONCE],
    );
    const costs = rows.map(
      ([repricing, ts, id = null, cost, status, price]): KeptCost => ({
        repricing: String(repricing),
        ts: Number(ts),
        event_id: toUuid(toBytes(id).toHex()),
        cost_nano: cost === null ? null : Number(cost),
        cost_status: status === null ? null : (COST_STATUSES[Number(status)] ?? null),
        price: price === null ? '' : priceOf(reader, referred, Number(price)),
      }),
    );
    const last = costs.at(-1);
    return {
      costs,
      next:
        costs.length < AT_ONCE || last === undefined
          ? null
          : [last.repricing, last.ts, last.event_id.replaceAll('-', '')],
    };
  },
);

/** The values of tags that the sums of a project tell apart. */
const tagValuesRead = readOp(
  'move-tag-values',
  (reader, project: number): [name: string, value: string][] => {
    const found = new Map<string, [string, string]>();
    for (const [json] of reader.rows('SELECT json FROM event_labels WHERE project = ?', [project])) {
      const [, tags] = JSON.parse(String(json)) as [
        unknown,
        Readonly<Record<string, unknown>> | string | null,
      ];
      if (tags === null || typeof tags === 'string') continue;
      for (const [name, value] of Object.entries(tags)) {
        if (value === null || value === undefined || value === OTHER) continue;
        found.set(JSON.stringify([name, tagText(value)]), [name, tagText(value)]);
      }
    }
    return [...found.values()];
  },
);

type Carried = {
  readonly session: Pick<ReadSession, 'run'>;
  readonly engine: Engine;
  readonly project: number;
  readonly referred: Referred;
  readonly signal: AbortSignal;
};

/**
 * Copies what stands beside events: the costs before re-pricings, so that these can still be taken back, and the values of
 * tags that are told apart. What an earlier run copied is replaced.
 * @throws AppError 500 if ClickHouse has not the same number and sum of costs afterwards
 */
export async function carryOver({ session, engine, project, referred, signal }: Carried): Promise<number> {
  await clearProject(engine, 'tag_values', project);
  const values = session.run(tagValuesRead, [project], project);
  if (values.length > 0)
    await engine.insert(
      'tag_values',
      values.map(([name, value]) => ({ project, name, value })),
      FRESH,
    );
  await clearProject(engine, 'repriced_events', project);
  let [count, nano] = [0, 0];
  for (let after: Place | null = ['', 0, '']; after !== null; ) {
    signal.throwIfAborted();
    const { costs, next }: KeptCosts = session.run(keptCostsRead, [project], { project, after, referred });
    if (costs.length > 0)
      await engine.insert(
        'repriced_events',
        costs.map((cost) => ({ ...cost, project })),
        FRESH,
      );
    count += costs.length;
    nano += costs.reduce((sum, { cost_nano }) => sum + (cost_nano ?? 0), 0);
    after = next;
  }
  const [row] = await engine.read<{ kept: number; nano: number }>(
    [project],
    sql`SELECT count() AS kept, ifNull(sum(cost_nano), 0) AS nano FROM repriced_events FINAL WHERE ${projectIs(project)}`,
  );
  if (row?.kept !== count || row.nano !== nano)
    throw new AppError(
      500,
      `Of ${count} costs before re-pricings, in all ${nano} nano-dollars, ClickHouse has ${row?.kept ?? 0} with ${row?.nano ?? 0}`,
    );
  return count;
}
