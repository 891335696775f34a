import type { ParsedEvent, Pricing } from '../../../event.ts';
import { costStatusByte, FLAG, ID_WORDS, KIND, STATUS } from '../columns.ts';
import { detailOf, type Fields, shapeOf } from './fields.ts';
import { idHex } from './id-bytes.ts';
import { createPackColumns, type PackColumns } from './pack-columns.ts';
import { sealPack } from './pack-frame.ts';

/** An event with its price by number; null if none was applied. */
export type PackedEvent = {
  readonly event: ParsedEvent;
  readonly pricing: Pricing;
  readonly price: number | null;
};

/** A batch as the log stores it. Times in epoch milliseconds. */
export type EncodedPack = {
  readonly events: number;
  readonly first: number;
  readonly last: number;
  /** 16 bytes per event id. */
  readonly ids: Uint8Array;
  /** All other columns, compressed; see `pack-frame.ts`. */
  readonly pack: Uint8Array;
  /** The distinct shapes, which determine the labels. */
  readonly shapes: readonly string[];
};

const ZSTD = { level: 1 };
const NULL_SPAN = '0'.repeat(ID_WORDS.parent_span_id * 8);
const HASH = /^[0-9a-f]{64}$/;

/**
 * Encodes a batch. It runs for every event that arrives, so columns are typed arrays and all hexadecimal ids of a
 * column are converted in one call.
 */
export function encodePack(events: readonly PackedEvent[]): EncodedPack {
  const columns = createPackColumns(events.length);
  const strings = createTable();
  const shapes = createTable();
  const text = { event_id: '', trace_id: '', span_id: '', parent_span_id: '', hashes: '' };
  const details: (string | null)[] = [];
  let hashes = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [place, packed] of events.entries()) {
    const { event, pricing } = packed;
    setNumbers(columns, place, packed);
    const ids = idsOf(event);
    text.event_id += ids.event_id;
    text.trace_id += ids.trace_id;
    text.span_id += ids.span_id;
    text.parent_span_id += ids.parent_span_id;
    columns.bytes.kind[place] = KIND[event.kind];
    columns.bytes.status[place] = STATUS[event.status];
    columns.bytes.cost_status[place] = costStatusByte(pricing.cost_status);
    columns.bytes.flags[place] =
      ids.flags | (pricing.is_call ? FLAG.call : 0) | (event.stream ? FLAG.stream : 0);
    const { texts } = columns;
    texts.provider[place] = strings.codeOf(event.provider);
    texts.model[place] = strings.codeOf(event.model);
    texts.environment[place] = strings.codeOf(event.environment);
    texts.operation[place] = strings.codeOf(event.operation);
    texts.user_id[place] = strings.codeOf(event.user_id);
    texts.session_id[place] = strings.codeOf(event.session_id);
    texts.error_code[place] = strings.codeOf(event.error_code);
    texts.shape[place] = shapes.codeOf(shapeOf(event, pricing.buckets));
    let { odd } = ids;
    if (event.prompt_hash !== null) {
      if (HASH.test(event.prompt_hash)) {
        text.hashes += event.prompt_hash;
        columns.hashes[place] = ++hashes;
      } else odd = { ...odd, prompt_hash: event.prompt_hash };
    }
    details.push(detailOf(event, odd));
    first = Math.min(first, event.ts);
    last = Math.max(last, event.ts);
  }
  columns.ids.trace_id.setFromHex(text.trace_id);
  columns.ids.span_id.setFromHex(text.span_id);
  columns.ids.parent_span_id.setFromHex(text.parent_span_id);
  const pack = join(columns, {
    hashes: Uint8Array.fromHex(text.hashes),
    tables: Buffer.from(JSON.stringify([strings.list, shapes.list])),
    details: joinDetails(details, columns.detailBytes),
  });
  const ids = Uint8Array.fromHex(text.event_id);
  return {
    events: events.length,
    first,
    last,
    ids,
    pack: sealPack(Bun.zstdCompressSync(pack, ZSTD), ids),
    shapes: shapes.list,
  };
}

function setNumbers({ numbers }: PackColumns, place: number, { event, pricing, price }: PackedEvent): void {
  const { buckets } = pricing;
  numbers.ts[place] = event.ts;
  numbers.latency_ms[place] = event.latency_ms ?? Number.NaN;
  numbers.ttft_ms[place] = event.ttft_ms ?? Number.NaN;
  numbers.cost_nano[place] = pricing.cost_nano ?? Number.NaN;
  numbers.fresh_tokens[place] = buckets.fresh;
  numbers.cache_read_tokens[place] = buckets.cacheRead;
  numbers.cache_write_tokens[place] = buckets.cacheWrite5m;
  numbers.cache_write_1h_tokens[place] = buckets.cacheWrite1h;
  numbers.output_tokens[place] = buckets.output;
  numbers.reasoning_tokens[place] = buckets.reasoning;
  numbers.price[place] = price ?? Number.NaN;
}

type Ids = Readonly<Record<'event_id' | 'trace_id' | 'span_id' | 'parent_span_id', string>> & {
  readonly flags: number;
  /** The texts of odd ids. */
  readonly odd: Fields | null;
};

function idsOf({ event_id, trace_id, span_id, parent_span_id }: ParsedEvent): Ids {
  const event = idHex('event_id', event_id);
  const trace = idHex('trace_id', trace_id);
  const span = idHex('span_id', span_id);
  const parent = parent_span_id === null ? null : idHex('parent_span_id', parent_span_id);
  const isOdd = trace.isOdd || span.isOdd || parent?.isOdd === true;
  return {
    event_id: event.hex,
    trace_id: trace.hex,
    span_id: span.hex,
    parent_span_id: parent?.hex ?? NULL_SPAN,
    flags:
      (parent === null ? 0 : FLAG.parent) |
      (trace.isOdd ? FLAG.oddTrace : 0) |
      (span.isOdd ? FLAG.oddSpan : 0) |
      (parent?.isOdd ? FLAG.oddParent : 0),
    odd: isOdd
      ? {
          ...(trace.isOdd ? { trace_id } : {}),
          ...(span.isOdd ? { span_id } : {}),
          ...(parent?.isOdd && parent_span_id !== null ? { parent_span_id } : {}),
        }
      : null,
  };
}

/** Distinct strings in the order of their first use; codes as in `Texts`. */
function createTable(): { readonly list: string[]; codeOf(text: string | null): number } {
  const list: string[] = [];
  const codes = new Map<string, number>();
  return {
    list,
    codeOf(text) {
      if (text === null) return 0;
      const known = codes.get(text);
      if (known !== undefined) return known;
      codes.set(text, list.push(text));
      return list.length;
    },
  };
}

/** The details one after the other; `lengths` receives the bytes of each. */
function joinDetails(details: readonly (string | null)[], lengths: Uint32Array): Uint8Array {
  const all = Buffer.from(details.map((detail) => detail ?? '').join(''));
  let characters = 0;
  for (const [place, detail] of details.entries()) {
    lengths[place] = detail?.length ?? 0;
    characters += lengths[place];
  }
  // Without non-ASCII characters a text has as many bytes as characters.
  if (all.length !== characters)
    for (const [place, detail] of details.entries()) lengths[place] = Buffer.byteLength(detail ?? '');
  return all;
}

type Rest = Readonly<Record<'hashes' | 'tables' | 'details', Uint8Array>>;

function join({ buffer, header }: PackColumns, { hashes, tables, details }: Rest): Uint8Array {
  header[1] = hashes.length;
  header[2] = tables.length;
  const fixed = new Uint8Array(buffer);
  const all = new Uint8Array(fixed.length + hashes.length + tables.length + details.length);
  all.set(fixed);
  all.set(hashes, fixed.length);
  all.set(tables, fixed.length + hashes.length);
  all.set(details, fixed.length + hashes.length + tables.length);
  return all;
}
