import type { Reader } from '../../../../../db/reader.ts';
import { lookUp } from '../filters/row-condition.ts';
import type { RowFilters, RowSelection } from '../scan/row-selection.ts';
import { tagText } from './labels.ts';

/** Looks up what filters need: a key's and tag's label numbers, which rows and sums store, and what conditions need. */
export function withLabels<S extends RowSelection>(
  reader: Reader,
  selection: S,
): S & { readonly filters: RowFilters } {
  const { filters } = selection;
  const where = filters.where === undefined ? undefined : lookUp(reader, filters.where);
  return { ...selection, filters: { ...filters, where, labels: labelsOf(reader, filters) } };
}

function labelsOf(reader: Reader, filters: RowFilters): readonly number[] | undefined {
  if (filters.labels !== undefined || (filters.keyId ?? filters.tag) === undefined) return filters.labels;
  return reader.projects.flatMap((project) =>
    reader
      .rows('SELECT id, json FROM event_labels WHERE project = ?', [project])
      .filter(([, json]) => isMeant(String(json), filters))
      .map(([id]) => Number(id)),
  );
}

/** A label is the JSON of `[key, tags]`. Both a tag's name and its value may contain `=`. */
function isMeant(json: string, { keyId, tag }: RowFilters): boolean {
  const [key, tags] = JSON.parse(json) as [string | null, Record<string, unknown> | string | null];
  if (keyId !== undefined && key !== keyId) return false;
  if (tag === undefined) return true;
  if (tags === null || typeof tags === 'string') return false;
  return Object.entries(tags).some(([name, value]) => value !== '' && `${name}=${tagText(value)}` === tag);
}
