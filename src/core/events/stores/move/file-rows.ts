import type { Reader } from '../../../../db/reader.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import { OTHER } from '../../metrics.ts';
import { type EventRow, toRow } from '../clickhouse/rows/to-row.ts';
import { FLAG } from '../sqlite/columns.ts';
import { tagText } from '../sqlite/labels/labels.ts';
import { readOp } from '../sqlite/read-op.ts';
import type { Chunk } from '../sqlite/scan/chunk.ts';
import { costStatusOf } from '../sqlite/scan/match.ts';
import { flipsOf, openBatch } from '../sqlite/scan/open-batches.ts';
import { openStoredSegment } from '../sqlite/scan/open-chunks.ts';
import { bucketsAt, numberAt, toEvent } from '../sqlite/scan/to-event.ts';
import { segmentsOf } from '../sqlite/segments/stored-segments.ts';
import type { FilePart } from './file-days.ts';

/** What events refer to by number, as far as it was read. To be made anew for each pass: an erasure renames tags. */
export type Referred = { readonly labels: Map<number, Label>; readonly prices: Map<number, string> };
type Label = {
  readonly key: string | null;
  readonly tags: Readonly<Record<string, unknown>> | string | null;
};

export const nothingReferred = (): Referred => ({ labels: new Map(), prices: new Map() });

/** Some segments or batches of a day. */
export type RowsWanted = {
  readonly project: number;
  readonly day: number;
  readonly parts: readonly FilePart[];
  readonly referred: Referred;
};

/** Their events of the day as rows of the table on the engine, and how many each part has. What is gone is left out. */
export type FileRows = { readonly rows: readonly EventRow[]; readonly counts: ReadonlyMap<string, number> };

export const fileRowsRead = readOp('move-rows', (reader, wanted: RowsWanted): FileRows => {
  const { project, day, referred } = wanted;
  const rows: EventRow[] = [];
  const counts = new Map<string, number>();
  for (const [key, chunk] of chunksOf(reader, wanted)) {
    const before = rows.length;
    const ts = chunk.numbers('ts');
    for (const [place, isPresent] of chunk.present().entries())
      if (isPresent === 1 && Math.floor((ts[place] as number) / DAY_MS) === day)
        rows.push(rowOf(reader, { project, chunk, place, referred }));
    counts.set(key, rows.length - before);
  }
  return { rows, counts };
});

function* chunksOf(reader: Reader, { project, parts }: RowsWanted): Generator<[key: string, Chunk]> {
  const keys = new Map(parts.map(({ kind, no, key }) => [`${kind} ${no}`, key]));
  const numbers = (kind: FilePart['kind']): number[] =>
    parts.flatMap((part) => (part.kind === kind ? [part.no] : []));
  for (const segment of segmentsOf(reader, project, numbers('segment')))
    yield [keys.get(`segment ${segment.no}`) ?? '', openStoredSegment(reader, segment)];
  const batches = numbers('batch');
  if (batches.length === 0) return;
  const flips = flipsOf(reader, 'SELECT seq, places FROM event_log_flips WHERE project = ?', project);
  const rows = reader.rows(
    'SELECT seq, events, first_ts, last_ts FROM event_log WHERE project = ? AND seq IN (SELECT value FROM json_each(?))',
    [project, JSON.stringify(batches)],
  );
  for (const row of rows) {
    const [seq, events, first, last] = row.map(Number) as [number, number, number, number];
    const chunk = openBatch(reader, { project, seq, events, first, last }, { flips: flips.get(seq) });
    yield [keys.get(`batch ${seq}`) ?? '', chunk];
  }
}

type Place = {
  readonly project: number;
  readonly chunk: Chunk;
  readonly place: number;
  readonly referred: Referred;
};

function rowOf(reader: Reader, { project, chunk, place, referred }: Place): EventRow {
  const label = labelOf(reader, referred, chunk.number('label', place));
  const { timestamp: _, tags, metadata, ...event } = toEvent(chunk, place, () => label.key);
  const ts = chunk.number('ts', place);
  const price = numberAt(chunk, 'price', place);
  return toRow({
    event: {
      ...event,
      ts,
      tags: isEmpty(tags) ? null : tags,
      metadata: isEmpty(metadata) ? null : metadata,
      input: event.input,
      output: event.output,
    },
    pricing: {
      buckets: bucketsAt(chunk, place),
      cost_nano: numberAt(chunk, 'cost_nano', place),
      cost_status: costStatusOf(chunk.bytes('cost_status')[place] as number),
    },
    price: price === null ? '' : priceOf(reader, referred, price),
    project,
    keyId: label.key,
    // When it came is not stored in a file.
    receivedAt: ts,
    counted: ((chunk.bytes('flags')[place] as number) & FLAG.call) !== 0,
    tags: tagTexts(label, tags),
  });
}

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;

/** The texts of tags, as the sums of the file tell them apart. */
function tagTexts({ tags: kept }: Label, tags: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(tags).flatMap((name) => {
      if (typeof kept === 'string' || kept === null) return [[name, OTHER] as const];
      const value = kept[name];
      return value === null || value === undefined ? [] : [[name, tagText(value)] as const];
    }),
  );
}

function labelOf(reader: Reader, { labels }: Referred, no: number): Label {
  const known = labels.get(no);
  if (known !== undefined) return known;
  const [row] = reader.rows('SELECT json FROM event_labels WHERE id = ?', [no]);
  const [key, tags] = (row === undefined ? [null, null] : JSON.parse(String(row[0]))) as [
    Label['key'],
    Label['tags'],
  ];
  const label = { key, tags };
  labels.set(no, label);
  return label;
}

export function priceOf(reader: Reader, { prices }: Pick<Referred, 'prices'>, no: number): string {
  const known = prices.get(no);
  if (known !== undefined) return known;
  const [row] = reader.rows('SELECT json FROM event_prices WHERE id = ?', [no]);
  const json = row === undefined ? '' : String(row[0]);
  prices.set(no, json);
  return json;
}
