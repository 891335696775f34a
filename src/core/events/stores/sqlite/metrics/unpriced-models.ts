import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { UnpricedModel, UnpricedModels, UnpricedQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { namedProvider } from '../../shared/metrics/dimensions.ts';
import { withLabels } from '../labels/label-filter.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import { codesOf, keyAt } from '../scan/codes.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { segmentsOf } from '../scan/open-chunks.ts';
import type { RowFilters } from '../scan/row-selection.ts';
import { selectEvents } from '../scan/select-events.ts';
import { groupEvents } from '../sums/group-events.ts';
import { isRolledUp, whereOf } from '../sums/sum-filters.ts';
import { hasHole } from './gaps.ts';
import { queryMetrics } from './query-metrics.ts';

/**
 * Models that were called without a price, by number of such calls. The sums narrow the first and last time of sealed
 * calls to the hour; a scan of these hours and of unsealed calls gives the exact time.
 */
export function readUnpricedModels(
  reader: Reader,
  { window, limit, filters: given = {} }: UnpricedQuery,
): UnpricedModels {
  const { filters } = withLabels(reader, { filters: given, calls: true });
  const measures = ['requests', 'unpriced', 'unpricedInputTokens', 'unpricedOutputTokens'] as const;
  const groups = queryMetrics(reader, { measures, groupBy: ['provider', 'model'], filters, window });
  const sum = (of: 'requests' | 'unpriced'): number => groups.reduce((all, row) => all + row[of], 0);
  const found = groups
    .filter(({ unpriced }) => unpriced > 0)
    .sort((a, b) => b.unpriced - a.unpriced)
    .slice(0, limit);
  const seen = readSeen(reader, { window, filters }, new Set(found.map(keyOf)));
  const models = found.map(({ time: _, ...group }): UnpricedModel => {
    const { first = window.from, last = window.from } = seen.get(keyOf(group)) ?? {};
    return { ...group, firstSeen: first, lastSeen: last };
  });
  return { models, unpriced: sum('unpriced'), requests: sum('requests') };
}

type Seen = { readonly first: number; readonly last: number };
type Name = { readonly provider: string | null; readonly model: string | null };
const keyOf = ({ provider, model }: Name): string => JSON.stringify([provider, model]);
const idOf = ([provider, model]: readonly SqlValue[]): string =>
  keyOf({ provider: nameOf(namedProvider(provider ?? null)), model: nameOf(model) });
const nameOf = (value: SqlValue | undefined): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);

type About = { readonly window: Window; readonly filters: RowFilters };

/**
 * First and last time by model, exact where events are stored, otherwise to the hour. What roll-ups cannot filter is
 * scanned.
 */
function readSeen(reader: Reader, about: About, wanted: ReadonlySet<string>): Map<string, Seen> {
  const { window, filters } = about;
  const seen = new Map<string, Seen>();
  for (const project of wanted.size === 0 ? [] : reader.projects) {
    if (!isRolledUp(filters)) {
      addSeen(seen, segmentsOf(reader, project, window), about);
      addSeen(seen, batchesOf(reader, project, window), about);
      continue;
    }
    const hours = readHours(reader, project, about, wanted);
    const sealed = new Map<string, Seen>();
    for (const from of new Set([...hours.values()].flatMap(({ first, last }) => [first, last]))) {
      const hour = { from, to: from + HOUR_MS };
      if (!hasHole(reader, project, hour))
        addSeen(sealed, segmentsOf(reader, project, hour), { window: hour, filters });
    }
    for (const [id, hour] of hours) widen(seen, id, sealed.get(id) ?? hour);
    const whole = {
      from: Math.floor(window.from / HOUR_MS) * HOUR_MS,
      to: Math.ceil(window.to / HOUR_MS) * HOUR_MS,
    };
    addSeen(seen, batchesOf(reader, project, whole), { window: whole, filters });
  }
  return seen;
}

/** The start of the first and last hour with such sealed calls, by model. */
function readHours(
  reader: Reader,
  project: number,
  { window, filters }: About,
  wanted: ReadonlySet<string>,
): Map<string, Seen> {
  const where = whereOf({ filters, calls: true });
  const rows = reader.rows(
    `SELECT provider, model, min(hour) * ${HOUR_MS}, max(hour) * ${HOUR_MS} FROM rollup_hours
     WHERE project = ? AND hour >= ? AND hour * ${HOUR_MS} < ? AND unpriced > 0${where.sql} GROUP BY 1, 2`,
    [project, Math.floor(window.from / HOUR_MS), window.to, ...where.args],
  );
  const hours = new Map<string, Seen>();
  for (const [provider = null, model = null, first, last] of rows) {
    const id = idOf([provider, model]);
    if (wanted.has(id)) widen(hours, id, { first: Number(first), last: Number(last) });
  }
  return hours;
}

/** Adds the times of calls without a price. */
function addSeen(
  seen: Map<string, Seen>,
  refs: readonly ChunkRef[],
  { window, filters: given }: About,
): void {
  const filters = { ...given, costStatus: 'unpriced' } as const;
  for (const ref of refs) {
    const selected = selectEvents(ref.open(), { filters, calls: true }, window);
    if (selected === null) continue;
    const { columns, mask } = selected;
    const keys = [codesOf(columns, 'provider'), codesOf(columns, 'model')];
    const codes = keys.map((key) => key.codes);
    const { of, firsts } = groupEvents(columns.events, codes, mask);
    const ts = columns.numbers('ts');
    const seenOf = firsts.map((place) => ({ first: ts[place] as number, last: ts[place] as number }));
    for (let place = 0; place < mask.length; place++) {
      if (mask[place] === 0) continue;
      const own = seenOf[of[place] as number] as (typeof seenOf)[number];
      const time = ts[place] as number;
      if (time < own.first) own.first = time;
      if (time > own.last) own.last = time;
    }
    for (const [group, own] of seenOf.entries()) widen(seen, idOf(keyAt(keys, firsts[group] as number)), own);
  }
}

function widen(seen: Map<string, Seen>, id: string, { first, last }: Seen): void {
  const known = seen.get(id) ?? { first, last };
  seen.set(id, { first: Math.min(known.first, first), last: Math.max(known.last, last) });
}
