import type { SqlValue } from '../../db/connection.ts';
import type { Reader } from '../../db/reader.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Window } from './event-filters.ts';
import { LABEL_ROLLUPS, LABEL_SUMS, RAW_LABEL_SUMS } from './label-rollup.ts';
import { MAX_TAG_VALUES, tagText } from './labels.ts';
import { type Part, splitWindow } from './split-window.ts';

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

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : tagText(value);

/** The value of a label, which is the JSON of `[key, tags]`. Where no tags are told apart all are `…`. */
function valueOfLabel(json: string, dimension: LabelDimension): string | null {
  const [key, tags] = JSON.parse(json) as [string | null, Record<string, unknown> | string | null];
  if (dimension.of === 'key') return key;
  return typeof tags === 'string' ? tags : textOf(tags?.[dimension.tag]);
}

type Group = { sums: number[]; costByDay: Map<number, number> };

/**
 * What the calls of a window add up to, by key or by the values of a tag: whole days and hours from the sums
 * of labels, less than an hour at each end from the rows. It takes as long as there are labels, however many
 * events. Groups without calls are left out.
 */
export function queryLabels(reader: Reader, window: Window, dimension: LabelDimension): LabelGroup[] {
  const groups = new Map<string | null, Group>();
  for (const project of reader.projects) {
    const values = new Map<number, string | null>();
    for (const [id, json] of reader.rows('SELECT id, json FROM event_labels WHERE project = ?', [project]))
      values.set(Number(id), valueOfLabel(String(json), dimension));
    for (const part of splitWindow(reader, project, window, DAY_MS)) {
      for (const [label, days, ...sums] of readPart(reader, project, part))
        addTo(groups, values.get(Number(label)) ?? null, { days: String(days), sums, sign: part.sign });
    }
  }
  return [...groups]
    .map(([value, { sums, costByDay }]) => ({
      value,
      sums: Object.fromEntries(LABEL_SUMS.map((name, i) => [name, sums[i] ?? 0])) as LabelSums,
      costByDay,
    }))
    .filter(({ sums }) => sums.requests !== 0);
}

/**
 * Label, costs by day (`day nano,day nano …`) and sums of a stretch, added up in SQL: handing over each entry
 * of a month takes ten times as long. What is finer than an hour comes from the rows.
 */
function readPart(reader: Reader, project: number, { source, from, to }: Part): SqlValue[][] {
  const rollup = LABEL_ROLLUPS.find(({ ms }) => ms === source.ms);
  if (rollup !== undefined) {
    const { table, column, ms } = rollup;
    const day = ms === DAY_MS ? column : `(${column} / ${DAY_MS / ms})`;
    const sums = LABEL_SUMS.map((name) => `total(${name})`).join(', ');
    return reader.rows(
      `SELECT label, group_concat(${day} || ' ' || cost_nano), ${sums} FROM ${table}
       WHERE project = ? AND ${column} >= ? AND ${column} < ? GROUP BY label`,
      [project, from, to],
    );
  }
  return reader.rows(
    `SELECT label, (ts / ${DAY_MS}) || ' ' || ifnull(sum(cost_nano), 0), ${LABEL_SUMS.map((name) => RAW_LABEL_SUMS[name]).join(', ')} FROM events
     WHERE project = ? AND ts >= ? AND ts < ? AND is_call = 1 GROUP BY label, ts / ${DAY_MS}`,
    [project, from * source.ms, to * source.ms],
  );
}

function addTo(
  groups: Map<string | null, Group>,
  value: string | null,
  { days, sums, sign }: { days: string; sums: readonly SqlValue[]; sign: 1 | -1 },
): void {
  let group = groups.get(value);
  if (group === undefined) {
    group = { sums: LABEL_SUMS.map(() => 0), costByDay: new Map() };
    groups.set(value, group);
  }
  for (let i = 0; i < sums.length; i++) group.sums[i] = (group.sums[i] ?? 0) + sign * Number(sums[i]);
  for (const entry of days.split(',')) {
    const space = entry.indexOf(' ');
    const cost = sign * Number(entry.slice(space + 1));
    if (cost === 0) continue;
    const day = Number(entry.slice(0, space));
    group.costByDay.set(day, (group.costByDay.get(day) ?? 0) + cost);
  }
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
