import type { Connection } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { OTHER } from '../../../metrics.ts';

/**
 * Assigns numbers to labels. A label is the JSON of `[key, tags]`: the project key that sent the events, and their
 * tags. Costs are summed per day and label, which answers queries by any key or tag.
 */
export type Labels = {
  /** The number of the label of events with a shape, which is JSON, that a key sent. */
  numberOf(project: number, keyId: string | null, shape: string | null): number;
  /** Clears cached numbers that a rollback may have removed. */
  forget(): void;
};

/** Maximum number of distinct values per tag; later values count as `OTHER`. */
export const MAX_TAG_VALUES = 1_000;
/** Maximum number of labels per project; later labels keep only the key. */
const MAX_LABELS = 20_000;
const MAX_VALUE_LENGTH = 200;
const REMEMBERED = 20_000;

/** The labels of a connection. */
export const labelsPart: WriterPart<Labels> = { open: createLabels };

type Tags = Readonly<Record<string, unknown>>;

/** A project's number of labels and the values of each tag. */
type Held = { count: number; readonly values: Map<string, Set<string>> };

export function createLabels(connection: Connection): Labels {
  const find = connection.prepare('SELECT id FROM event_labels WHERE project = ? AND json = ?').raw(true);
  const insert = connection
    .prepare('INSERT INTO event_labels (project, json) VALUES (?, ?) RETURNING id')
    .raw(true);
  const list = connection.prepare('SELECT json FROM event_labels WHERE project = ?').raw(true);
  let ids = new Map<string, Map<string | null, number>>();
  let held = new Map<number, Held>();
  let remembered = 0;

  function heldOf(project: number): Held {
    const known = held.get(project);
    if (known !== undefined) return known;
    const made: Held = { count: 0, values: new Map() };
    for (const [json = ''] of list.all([project]) as string[][]) note(made, JSON.parse(json)[1]);
    held.set(project, made);
    return made;
  }

  function findOrInsert(project: number, label: string): number {
    const [found] = find.all([project, label]) as number[][];
    if (found !== undefined) return found[0] ?? 0;
    const [made] = insert.all([project, label]) as number[][];
    return made?.[0] ?? 0;
  }

  function idOf(project: number, keyId: string | null, shape: string | null): number {
    const tags = tagsOf(shape);
    const own = heldOf(project);
    const label = JSON.stringify([keyId, limited(own, tags)]);
    const [found] = find.all([project, label]) as number[][];
    if (found !== undefined) return found[0] ?? 0;
    if (own.count >= MAX_LABELS) return findOrInsert(project, JSON.stringify([keyId, OTHER]));
    note(own, JSON.parse(label)[1]);
    return findOrInsert(project, label);
  }

  function numberOf(project: number, keyId: string | null, shape: string | null): number {
    const place = `${project} ${keyId ?? ''}`;
    const known = ids.get(place)?.get(shape);
    if (known !== undefined) return known;
    if (remembered++ >= REMEMBERED) {
      ids = new Map();
      remembered = 0;
    }
    const id = idOf(project, keyId, shape);
    ids.set(place, (ids.get(place) ?? new Map<string | null, number>()).set(shape, id));
    return id;
  }

  return {
    numberOf,
    forget() {
      ids = new Map();
      held = new Map();
      remembered = 0;
    },
  };
}

function note(held: Held, tags: Tags | string | null): void {
  held.count++;
  if (tags === null || typeof tags === 'string') return;
  for (const [key, value] of Object.entries(tags)) {
    held.values.set(key, (held.values.get(key) ?? new Set()).add(tagText(value)));
  }
}

/** The tags of events with a shape. */
export function tagsOf(shape: string | null): Tags | null {
  if (shape === null || !shape.includes('"tags":')) return null;
  return (JSON.parse(shape) as { tags?: Tags }).tags ?? null;
}

/** The tags, with `OTHER` for values beyond the limit, so that a tag with many values leaves room for others. */
function limited({ values }: Held, tags: Tags | null): Tags | null {
  if (tags === null) return null;
  const entries = Object.entries(tags).map(([key, value]) => {
    const text = tagText(value);
    const seen = values.get(key);
    const isKnown = seen === undefined || seen.has(text) || seen.size < MAX_TAG_VALUES;
    return [key, isKnown && text.length <= MAX_VALUE_LENGTH ? value : OTHER];
  });
  return Object.fromEntries(entries);
}

/** A tag's value as group name. */
export const tagText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
