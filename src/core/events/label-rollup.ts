import type { Connection, SqlValue } from '../../db/connection.ts';
import { DAY_MS } from '../../lib/time.ts';
import { COST_STATUSES, EVENT_STATUSES } from './contract.ts';
import { FAILED_STATUSES } from './event-filters.ts';
import { C } from './row.ts';

/** The sums of a day and label, over calls only; each equals a sum over the rows. */
export const LABEL_SUMS = [
  'requests',
  'errors',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
] as const;

const UNPRICED = COST_STATUSES.indexOf('unpriced');
const FAILED: ReadonlySet<SqlValue> = new Set(
  FAILED_STATUSES.map((status) => EVENT_STATUSES.indexOf(status)),
);

type Entry = {
  readonly key: readonly [project: number, day: number, label: number];
  readonly sums: number[];
};

/** Gathers what calls add to their day and label and writes it once per transaction. */
export function createLabelRollup(connection: Connection): {
  /** `weight` -1 takes away what the rows had added. */
  add(rows: readonly SqlValue[][], weight?: 1 | -1): void;
  flush(): void;
  discard(): void;
} {
  const columns = ['project', 'day', 'label', ...LABEL_SUMS];
  const upsert = connection.prepare(
    `INSERT INTO rollup_labels (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${LABEL_SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`,
  );
  const removeEmpty = connection.prepare(
    'DELETE FROM rollup_labels WHERE project = ? AND day = ? AND label = ? AND requests = 0',
  );
  let entries = new Map<string, Entry>();

  return {
    add(rows, weight = 1) {
      for (const row of rows) if (row[C.is_call] === 1) addCall(entries, row, weight);
    },
    flush() {
      for (const { key, sums } of entries.values()) {
        upsert.run([...key, ...sums]);
        if ((sums[0] ?? 0) < 0) removeEmpty.run([...key]);
      }
      entries = new Map();
    },
    discard() {
      entries = new Map();
    },
  };
}

function addCall(entries: Map<string, Entry>, row: readonly SqlValue[], weight: 1 | -1): void {
  const number = (place: number): number => (row[place] as number | null) ?? 0;
  const project = number(C.project);
  const day = Math.floor(number(C.ts) / DAY_MS);
  const label = number(C.label);
  const id = `${project} ${day} ${label}`;
  let entry = entries.get(id);
  if (entry === undefined) {
    entry = { key: [project, day, label], sums: LABEL_SUMS.map(() => 0) };
    entries.set(id, entry);
  }
  const { sums } = entry;
  const cacheRead = number(C.cache_read_tokens);
  const written = number(C.cache_write_tokens) + number(C.cache_write_1h_tokens);
  const add = (i: number, value: number): void => {
    sums[i] = (sums[i] ?? 0) + weight * value;
  };
  add(0, 1);
  add(1, FAILED.has(row[C.status] ?? null) ? 1 : 0);
  add(2, number(C.cost_nano));
  add(3, row[C.cost_status] === UNPRICED ? 1 : 0);
  add(4, number(C.fresh_tokens) + cacheRead + written);
  add(5, cacheRead);
  add(6, number(C.output_tokens) + number(C.reasoning_tokens));
}
