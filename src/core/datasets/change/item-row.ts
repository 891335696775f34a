import type { NewItem } from '../contract.ts';

/** The content of an item as it is stored: JSON columns as text. */
export type ItemRow = {
  /** Null: the dataset makes one. */
  readonly id: string | null;
  readonly input: string;
  readonly expected: string | null;
  readonly metadata: string | null;
  readonly split: string | null;
  readonly userId: string | null;
  readonly sourceTraceId: string | null;
  readonly sourceSpanId: string | null;
  readonly bytes: number;
};

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/** An item that was checked, as it is stored. */
export function toItemRow(item: NewItem): ItemRow {
  const input = JSON.stringify(item.input);
  const expected = textOf(item.expectedOutput);
  const metadata = textOf(item.metadata);
  return {
    id: item.id ?? null,
    input,
    expected,
    metadata,
    split: item.split ?? null,
    userId: item.userId || null,
    sourceTraceId: item.sourceTraceId || null,
    sourceSpanId: item.sourceSpanId || null,
    bytes: Buffer.byteLength(input) + Buffer.byteLength(expected ?? '') + Buffer.byteLength(metadata ?? ''),
  };
}
