import type { Reader } from '../../db/reader.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Window } from './event-filters.ts';
import { LABEL_SUMS } from './label-rollup.ts';
import { MAX_TAG_VALUES } from './labels.ts';

/** What the calls of labels are told apart by: the project key with which they came, or a tag. */
export type LabelDimension = { readonly of: 'key' } | { readonly of: 'tag'; readonly tag: string };

/** Sums over calls; `cost_nano` in nano-dollars. */
export type LabelSums = Readonly<Record<(typeof LABEL_SUMS)[number], number>>;

/** The calls of one key or tag value (null: they have none), in all and by day (days since the epoch). */
export type LabelGroup = {
  readonly value: string | null;
  readonly sums: LabelSums;
  readonly costByDay: ReadonlyMap<number, number>;
};

/** Values of tags are told as text: what is none is told as JSON. */
const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The value of a label, which is the JSON of `[key, tags]`. Where no tags are told apart all are `…`. */
function valueOfLabel(json: string, dimension: LabelDimension): string | null {
  const [key, tags] = JSON.parse(json) as [string | null, Record<string, unknown> | string | null];
  if (dimension.of === 'key') return key;
  return typeof tags === 'string' ? tags : textOf(tags?.[dimension.tag]);
}

/**
 * What the calls of whole UTC days add up to, by key or by the values of a tag: from the sums per day and
 * label, so that it takes as long as there are labels, however many events. `days`: bounds in epoch
 * milliseconds, widened to whole days.
 */
export function queryLabels(reader: Reader, days: Window, dimension: LabelDimension): LabelGroup[] {
  const groups = new Map<string | null, { sums: number[]; costByDay: Map<number, number> }>();
  const [from, to] = [Math.floor(days.from / DAY_MS), Math.ceil(days.to / DAY_MS)];
  const COST = LABEL_SUMS.indexOf('cost_nano');
  for (const project of reader.projects) {
    const values = new Map<number, string | null>();
    for (const [id, json] of reader.rows('SELECT id, json FROM event_labels WHERE project = ?', [project]))
      values.set(Number(id), valueOfLabel(String(json), dimension));
    const rows = reader.rows(
      `SELECT label, day, ${LABEL_SUMS.join(', ')} FROM rollup_labels WHERE project = ? AND day >= ? AND day < ?`,
      [project, from, to],
    );
    for (const [label, day, ...sums] of rows) {
      const value = values.get(Number(label)) ?? null;
      let group = groups.get(value);
      if (group === undefined) {
        group = { sums: LABEL_SUMS.map(() => 0), costByDay: new Map() };
        groups.set(value, group);
      }
      for (let i = 0; i < sums.length; i++) group.sums[i] = (group.sums[i] ?? 0) + Number(sums[i]);
      const cost = Number(sums[COST]);
      if (cost !== 0) group.costByDay.set(Number(day), (group.costByDay.get(Number(day)) ?? 0) + cost);
    }
  }
  return [...groups].map(([value, { sums, costByDay }]) => ({
    value,
    sums: Object.fromEntries(LABEL_SUMS.map((name, i) => [name, sums[i] ?? 0])) as LabelSums,
    costByDay,
  }));
}

/** Whether calls with this value of a tag are, or would be, told apart from others. */
export function isTagValueKept(reader: Reader, tag: string, value: string): boolean {
  return reader.projects.every((project) => {
    const values = new Set(
      reader
        .rows('SELECT json FROM event_labels WHERE project = ?', [project])
        .map(([json]) => valueOfLabel(String(json), { of: 'tag', tag })),
    );
    return values.has(value) || values.size < MAX_TAG_VALUES;
  });
}
