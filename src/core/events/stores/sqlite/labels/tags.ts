import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { OTHER } from '../../../metrics.ts';
import type { TagLine } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { labelEntries } from './label-entries.ts';
import { LABEL_ROLLUPS } from './label-rollup.ts';
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
  const days = {
    rollup: LABEL_ROLLUPS[0],
    from: Math.floor(window.from / DAY_MS),
    to: Math.ceil(window.to / DAY_MS),
  };
  for (const project of reader.projects) {
    const calls = new Map<number, number>();
    for (const { columns } of labelEntries(reader, project, days, ['requests'])) {
      const [labels = new Float64Array(), requests] = columns;
      for (const [i, label] of labels.entries())
        calls.set(label, (calls.get(label) ?? 0) + (requests?.[i] ?? 0));
    }
    for (const [id, json] of reader.rows('SELECT id, json FROM event_labels WHERE project = ?', [project]))
      addTags(tags, String(json), calls.get(Number(id)) ?? 0);
  }
  return tags;
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
