import type { Reader } from '../../../../../db/reader.ts';
import type { KeyOf } from './to-event.ts';

/** Looks up the key of each label once. A label is the JSON of `[key, tags]`. */
export function keyOfLabels(reader: Reader): KeyOf {
  const known = new Map<number, string | null>();
  return (label) => {
    const key = known.get(label);
    if (key !== undefined) return key;
    const [row] = reader.rows('SELECT json FROM event_labels WHERE id = ?', [label]);
    const found = row === undefined ? null : (JSON.parse(String(row[0])) as [string | null])[0];
    known.set(label, found);
    return found;
  };
}
