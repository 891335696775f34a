import type { Reader } from '../../../../../db/reader.ts';
import type { RowFilters, RowSelection } from '../scan/row-selection.ts';
import { tagText } from './labels.ts';

/** Replaces a selection's key and tag by the matching label numbers, which rows and sums store. */
export function withLabels<S extends RowSelection>(
  reader: Reader,
  selection: S,
): S & { readonly filters: RowFilters } {
  const { keyId, tag, labels: known } = selection.filters;
  if (known !== undefined || (keyId === undefined && tag === undefined)) return selection;
  const labels = reader.projects.flatMap((project) =>
    reader
      .rows('SELECT id, json FROM event_labels WHERE project = ?', [project])
      .filter(([, json]) => isMeant(String(json), selection.filters))
      .map(([id]) => Number(id)),
  );
  return { ...selection, filters: { ...selection.filters, labels } };
}

/** A label is the JSON of `[key, tags]`. Both a tag's name and its value may contain `=`. */
function isMeant(json: string, { keyId, tag }: RowFilters): boolean {
  const [key, tags] = JSON.parse(json) as [string | null, Record<string, unknown> | string | null];
  if (keyId !== undefined && key !== keyId) return false;
  if (tag === undefined) return true;
  if (tags === null || typeof tags === 'string') return false;
  return Object.entries(tags).some(([name, value]) => `${name}=${tagText(value)}` === tag);
}
