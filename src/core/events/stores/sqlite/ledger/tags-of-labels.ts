import type { Reader } from '../../../../../db/reader.ts';
import { OTHER_TAGS } from './accounts.ts';

/** The tags of a project's labels by their number, as JSON with the keys in order; null without tags. */
export type TagsOfLabels = ReadonlyMap<number, string | null>;

export const tagsOfLabels = (reader: Reader, project: number): TagsOfLabels =>
  new Map(
    reader
      .rows('SELECT id, json FROM event_labels WHERE project = ?', [project])
      .map(([id, json]) => [Number(id), toTags(String(json))]),
  );

/** A label is the JSON of `[key, tags]`. */
function toTags(label: string): string | null {
  const [, tags] = JSON.parse(label) as [unknown, Record<string, unknown> | string | null];
  if (tags === null) return null;
  if (typeof tags === 'string') return OTHER_TAGS;
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}
