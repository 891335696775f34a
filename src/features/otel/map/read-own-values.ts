import { isObject } from '../read/attributes.ts';
import { parsed } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { LABELS, NOT_OWN, OWN_OBJECT, OWN_VALUE } from './mapping.ts';

type OwnValues = { [name: string]: string | number | boolean };

const MOST = 32;
const LONGEST_NAME = 100;
/** A prompt contains blanks; a short text without blanks is a name, an id or a number. */
const WORD = /^[^\s[{"]\S{0,99}$/;

/** Labels as tags: `{ beta: true }`. Labels that could be content are dropped. Null if there are none. */
export function readLabels(span: Span): OwnValues | null {
  let tags: OwnValues | null = null;
  for (const name of LABELS) {
    const value = parsed(span.attributes.get(name));
    if (value === undefined) continue;
    const labels: unknown[] = Array.isArray(value) ? value : String(value).split(/,\s*/);
    for (const label of labels.slice(0, MOST)) {
      if (typeof label !== 'string' || !WORD.test(label)) continue;
      tags ??= Object.create(null) as OwnValues;
      tags[label.toWellFormed()] = true;
    }
    if (tags !== null) span.note?.('tags', name, tags);
  }
  return tags;
}

/**
 * Adds the user's own values to `metadata` under their bare names: numbers, booleans and single words. Longer text
 * could be a prompt.
 */
export function addOwnValues(span: Span, metadata: Record<string, unknown>): void {
  let left = MOST;
  const add = (name: string, value: unknown, source: string): void => {
    if (left === 0 || name.length > LONGEST_NAME || name === '' || NOT_OWN.test(name) || !isOwn(value))
      return;
    const key = name.toWellFormed();
    if (key in metadata) return;
    metadata[key] = value;
    left--;
    span.note?.('metadata', source, value);
  };
  for (const [name, value] of span.attributes) {
    // Most attributes, of whom none is the user's.
    if (name.startsWith('gen_ai.')) continue;
    const prefix = OWN_VALUE.exec(name)?.[0];
    if (prefix !== undefined) add(name.slice(prefix.length), value, name);
  }
  const object = parsed(span.attributes.get(OWN_OBJECT));
  if (isObject(object)) for (const name in object) add(name, object[name], OWN_OBJECT);
}

function isOwn(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return WORD.test(value) && value.isWellFormed() && !value.includes('\0');
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}
