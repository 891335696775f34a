import type { Reader } from '../../../../../db/reader.ts';
import type { LabelDimension } from '../../../metrics.ts';
import { tagText } from './labels.ts';

/** A tag's value as group name; null if there is none or it is empty, as filters have it. */
export const textOf = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : tagText(value);

/** Prefix of tag dimensions. */
const TAG = 'tag:';

/**
 * The value of a label, which is the JSON of `[key, tags]`. If the label's tags were not stored, all values are `…`.
 */
export function valueOfLabel(json: string, dimension: LabelDimension): string | null {
  const [key, tags] = JSON.parse(json) as [string | null, Record<string, unknown> | string | null];
  if (dimension === 'keyId') return key;
  return typeof tags === 'string' ? tags : textOf(tags?.[dimension.slice(TAG.length)]);
}

/** Values of labels by their number; null where a label has none. */
export type LabelValues = ReadonlyMap<number, string | null>;

/** The value of each label of the scope's projects. */
export const labelValues = (reader: Reader, dimension: LabelDimension): LabelValues =>
  new Map(
    reader.projects.flatMap((project) =>
      reader
        .rows('SELECT id, json FROM event_labels WHERE project = ?', [project])
        .map(([id, json]) => [Number(id), valueOfLabel(String(json), dimension)] as const),
    ),
  );
