import type { Attributes } from './attributes.ts';

/** Source of a value: an attribute of the span, or one of the forms below. */
export type Source =
  | string
  /** An attribute of the resource that sent the span. */
  | { readonly at: 'resource'; readonly name: string }
  /** A path of keys in an attribute that contains an object as JSON text. */
  | { readonly at: 'json'; readonly name: string; readonly path: readonly string[] }
  /** An attribute in seconds, for a field in milliseconds. */
  | { readonly at: 'seconds'; readonly name: string };

/** A validated span of either encoding: ids are lower-case hex, the end is not before the start. */
export type Span = {
  /** Called for each field that was found, with its source and value (for the inspector). */
  readonly note?: (field: string, source: Source, value: unknown) => void;
  /** Attributes that hold JSON text, parsed when a rule first looks into them. */
  readonly json: Map<string, unknown>;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** Nanoseconds since the epoch; the end is null if the client sent none. */
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

/** A refused span: its position in the request, from 1, and the reason. */
export type RefusedSpan = { readonly line: number; readonly error: string };

export type SpanBatch = { readonly spans: readonly Span[]; readonly refused: readonly RefusedSpan[] };
