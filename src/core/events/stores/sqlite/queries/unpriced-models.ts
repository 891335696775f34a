import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS, SLOT_MS } from '../../../../../lib/time.ts';
import type { UnpricedModel, UnpricedModels, UnpricedQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { ROLLUP_HOURS, ROLLUP_SLOTS } from '../rollups/rollup.ts';
import { COST_STATUS } from '../rows/numbers.ts';
import { queryMetrics } from './query-metrics.ts';

/**
 * Models that were called without a price, by number of such calls. The first and last time are read for all models
 * together: roll-ups narrow it to the hour, then to five minutes, then rows give the exact time.
 */
export function readUnpricedModels(reader: Reader, { window, limit }: UnpricedQuery): UnpricedModels {
  const measures = ['requests', 'unpriced', 'unpricedInputTokens', 'unpricedOutputTokens'] as const;
  const groups = queryMetrics(reader, { measures, groupBy: ['provider', 'model'], window });
  const sum = (of: 'requests' | 'unpriced'): number => groups.reduce((all, row) => all + row[of], 0);
  const found = groups
    .filter(({ unpriced }) => unpriced > 0)
    .sort((a, b) => b.unpriced - a.unpriced)
    .slice(0, limit);
  const seen = readSeen(reader, window, new Set(found.map(keyOf)));
  const models = found.map(({ time: _, ...group }): UnpricedModel => {
    const { first = window.from, last = window.from } = seen.get(keyOf(group)) ?? {};
    return { ...group, firstSeen: first, lastSeen: last };
  });
  return { models, unpriced: sum('unpriced'), requests: sum('requests') };
}

type Seen = { readonly first: number; readonly last: number };
type Name = { readonly provider: string | null; readonly model: string | null };
const keyOf = ({ provider, model }: Name): string => JSON.stringify([provider, model]);
const nameOf = (value: SqlValue | undefined): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);

/** First and last time by model, as exact as the stored data allows: to the millisecond, five minutes or hour. */
function readSeen(reader: Reader, window: Window, wanted: ReadonlySet<string>): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const project of reader.projects) {
    const hours = firstAndLast(
      reader.rows(
        `SELECT provider, model, min(hour) * ${HOUR_MS}, max(hour) * ${HOUR_MS} FROM ${ROLLUP_HOURS.table}
         WHERE project = ? AND hour >= ? AND hour * ${HOUR_MS} < ? AND is_call = 1 AND unpriced > 0 GROUP BY 1, 2`,
        [project, Math.floor(window.from / HOUR_MS), window.to],
      ),
      wanted,
    );
    const slots = firstAndLast(
      reader.rows(
        `SELECT provider, model, min(slot) * ${SLOT_MS}, max(slot) * ${SLOT_MS}
         FROM json_each(?) AS hours CROSS JOIN ${ROLLUP_SLOTS.table}
         WHERE project = ? AND slot >= hours.value / ${SLOT_MS} AND slot < (hours.value + ${HOUR_MS}) / ${SLOT_MS}
           AND is_call = 1 AND unpriced > 0 GROUP BY 1, 2`,
        [starts(hours), project],
      ),
      wanted,
    );
    const moments = firstAndLast(
      reader.rows(
        `SELECT provider, model, min(ts), max(ts) FROM json_each(?) AS slots CROSS JOIN events
         WHERE project = ? AND ts >= slots.value AND ts < slots.value + ${SLOT_MS}
           AND is_call = 1 AND cost_status = ${COST_STATUS.unpriced} GROUP BY 1, 2`,
        [starts(slots), project],
      ),
      wanted,
    );
    for (const [key, hour] of hours) {
      const { first, last } = moments.get(key) ?? slots.get(key) ?? hour;
      const known = seen.get(key) ?? { first, last };
      seen.set(key, { first: Math.min(known.first, first), last: Math.max(known.last, last) });
    }
  }
  return seen;
}

function firstAndLast(rows: readonly SqlValue[][], wanted: ReadonlySet<string>): Map<string, Seen> {
  const named = rows.map(([provider, model, first, last]): [string, Seen] => [
    keyOf({ provider: nameOf(provider), model: nameOf(model) }),
    { first: Number(first), last: Number(last) },
  ]);
  return new Map(named.filter(([key]) => wanted.has(key)));
}

const starts = (seen: ReadonlyMap<string, Seen>): string =>
  JSON.stringify([...new Set([...seen.values()].flatMap(({ first, last }) => [first, last]))]);
