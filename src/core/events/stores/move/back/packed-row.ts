import type { ParsedEvent } from '../../../event.ts';
import { OTHER } from '../../../metrics.ts';
import { bucketsOf, objectOf, type StoredRow, toEvent } from '../../clickhouse/rows/to-event.ts';
import { tagText } from '../../sqlite/labels/labels.ts';
import type { PackedEvent } from '../../sqlite/packs/encode-pack.ts';

/** A row as it is read for a file. `link`: where its place in the graph is kept, JSON. */
export type MovedRow = StoredRow & {
  readonly tags: Readonly<Record<string, string>>;
  readonly is_kept: 0 | 1;
};

/**
 * An event of the engine, so that it can be encoded for a file.
 * @param price the number of its price in the file
 */
export function toPacked(row: MovedRow, price: number | null): PackedEvent {
  const { timestamp: _, key_id, counted, cost_status, ...sent } = toEvent(row);
  const event: ParsedEvent = {
    ...sent,
    ts: row.ts,
    dated: true,
    cost_usd: null,
    tags: objectOf(row.tags_json),
    metadata: objectOf(row.metadata),
    input: sent.input ?? null,
    output: sent.output ?? null,
  };
  const pricing = {
    is_call: counted,
    buckets: bucketsOf(row),
    cost_nano: row.cost_nano,
    cost_status: row.cost_status,
    price: null,
  };
  return { event, pricing, price };
}

/** The tags by which a row is summed, as a shape has them: those that are told apart as sent, the others as `OTHER`. */
export function labelShapeOf({ tags, tags_json }: Pick<MovedRow, 'tags' | 'tags_json'>): string | null {
  const sent = objectOf(tags_json) ?? {};
  const entries = Object.entries(tags).map(([name, text]) => {
    const value = sent[name];
    return [name, text === OTHER || value === undefined || tagText(value) !== text ? text : value] as const;
  });
  const empty = Object.entries(sent).filter(([name]) => !Object.hasOwn(tags, name));
  const all = [...entries, ...empty];
  return all.length === 0 ? null : JSON.stringify({ tags: Object.fromEntries(all) });
}
