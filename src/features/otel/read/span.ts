import type { Source } from './source.ts';

/** The value of an attribute; what is empty or can't be told in JSON is null. */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

/** Attributes by name. Empty values are left out, so that the next name is asked. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

/** A span of either encoding, checked: ids are lower-case hex, the end is not before the start. */
export type Span = {
  /** Hears of each field that was found: which, where, and what (the mapping inspector). */
  readonly note?: (field: string, source: Source, value: unknown) => void;
  /** Attributes that hold JSON text, parsed when a rule first looks into them. */
  readonly json: Map<string, unknown>;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** Nanoseconds since the epoch; the end is null where the sender gave none. */
  readonly start: bigint;
  readonly end: bigint | null;
  /** 0 unset, 1 ok, 2 error (opentelemetry-proto, Status.StatusCode). */
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly attributes: Attributes;
  /** The last `exception` event (semantic conventions, Exceptions). */
  readonly exception: Attributes | null;
  readonly scope: { readonly name: string; readonly version: string };
  readonly resource: Attributes;
};

/** A span that can't be kept: its place in the request, from 1, and why. */
export type RefusedSpan = { readonly line: number; readonly error: string };

export type SpanBatch = { readonly spans: readonly Span[]; readonly refused: readonly RefusedSpan[] };
