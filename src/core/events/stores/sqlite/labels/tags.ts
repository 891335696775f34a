import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { OTHER } from '../../../metrics.ts';
import type { TagLine } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { matchesOf } from '../scan/match.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { LABEL_ROLLUPS } from '../sums/rollup-sums.ts';
import { labelEntries } from './label-entries.ts';
import { textOf, valueOfLabel } from './label-value.ts';
import { MAX_TAG_VALUES } from './labels.ts';

/** The tags of calls, by number of calls, each with its most frequent values. */
export function listTags(
  reader: Reader,
  { window, values: most }: { readonly window: Window; readonly values: number },
): TagLine[] {
  const tags = [...queryTags(reader, window)].map(([name, values]) => ({
    name,
    calls: [...values.values()].reduce((sum, calls) => sum + calls, 0),
    count: values.size,
    values: [...values]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([value]) => value),
  }));
  return tags.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}

/** Number of calls per tag name and value on the UTC days of a window, without values merged into `OTHER`. */
function queryTags(reader: Reader, window: Window): Map<string, Map<string, number>> {
  const tags = new Map<string, Map<string, number>>();
  for (const project of reader.projects) {
    const calls = countLabels(reader, project, window);
    for (const [id, json] of reader.rows('SELECT id, json FROM event_labels WHERE project = ?', [project]))
      addTags(tags, String(json), calls.get(Number(id)) ?? 0);
  }
  return tags;
}

/** Number of calls per label on the UTC days of a window. */
function countLabels(reader: Reader, project: number, window: Window): Map<number, number> {
  const [from, to] = [Math.floor(window.from / DAY_MS), Math.ceil(window.to / DAY_MS)];
  const calls = new Map<number, number>();
  const add = (label: number, count: number): void => {
    calls.set(label, (calls.get(label) ?? 0) + count);
  };
  const days = { rollup: LABEL_ROLLUPS[0], from, to };
  for (const { columns } of labelEntries(reader, project, days, ['requests'])) {
    const [labels = new Float64Array(), requests] = columns;
    for (const [i, label] of labels.entries()) add(label, requests?.[i] ?? 0);
  }
  const whole = { from: from * DAY_MS, to: to * DAY_MS };
  for (const ref of batchesOf(reader, project, whole)) {
    const chunk = ref.open();
    const mask = matchesOf(chunk, { filters: {}, calls: true }, whole);
    const labels = chunk.numbers('label');
    for (const [place, bit] of mask?.entries() ?? []) if (bit === 1) add(labels[place] as number, 1);
  }
  return calls;
}

function addTags(tags: Map<string, Map<string, number>>, json: string, calls: number): void {
  const [, own] = JSON.parse(json) as [unknown, Record<string, unknown> | string | null];
  if (calls === 0 || own === null || typeof own === 'string') return;
  for (const [name, value] of Object.entries(own)) {
    const text = textOf(value);
    if (text === null || text === OTHER) continue;
    const values = tags.get(name) ?? new Map<string, number>();
    tags.set(name, values);
    values.set(text, (values.get(text) ?? 0) + calls);
  }
}

/** Whether this tag value is, or would be, stored as a distinct value rather than merged into `OTHER`. */
export function isTagValueKept(
  reader: Reader,
  { tag, value }: { readonly tag: string; readonly value: string },
): boolean {
  return reader.projects.every((project) => {
    const values = new Set(
      reader
        .rows('SELECT json FROM event_labels WHERE project = ?', [project])
        .map(([json]) => valueOfLabel(String(json), `tag:${tag}`)),
    );
    return values.has(value) || values.size < MAX_TAG_VALUES;
  });
}
