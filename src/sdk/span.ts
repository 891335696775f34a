import { type CallHost, inherit, merge } from './call.ts';
import { type Inherited, type Place, runAt } from './context.ts';
import type { EventFields, SpanledgerEvent } from './event.ts';
import { readFailure } from './failure.ts';
import { newSpanId, newTraceId } from './ids.ts';

/** Fields of a span's event, and its parent if it is not the current span. */
export type SpanFields = EventFields & {
  trace_id?: string | undefined;
  parent_span_id?: string | undefined;
};

/** A running step of a trace. It measures its own time and ends when its function does. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  /** Adds to the span's event: tags and metadata are merged, all other fields are replaced. */
  set(fields: EventFields): void;
  /** Runs a function as a child span of this one, wherever it is called. */
  span<T>(name: string, fn: (span: Span) => T, fields?: SpanFields): T;
  /** Records an event inside this span, wherever it is called; returns its id. */
  track(event: SpanledgerEvent): string;
  /** Runs a function inside this span, for runtimes that lose the context at an `await`. */
  run<T>(fn: () => T): T;
};

/** The parts of the client that spans use. */
export type SpanHost = CallHost & { track(event: SpanledgerEvent, place: Place | undefined): string };

/** A span that ends when `end` is called for the first time. */
export type OpenSpan = {
  readonly span: Span;
  readonly place: Place;
  end(more?: EventFields): void;
};

const HANDED_DOWN = [
  'user_id',
  'session_id',
  'agent',
  'agent_version',
  'tags',
  'environment',
  'release',
  'prompt_name',
  'prompt_version',
] as const;

/** A span's metadata is its own; that of `with` belongs to everything inside. */
const handDown = (fields: EventFields, parent: Place | undefined): Inherited => {
  const inherited: Record<string, unknown> = {};
  for (const name of HANDED_DOWN) if (fields[name] !== undefined) inherited[name] = fields[name];
  if (parent?.inherited.metadata !== undefined) inherited.metadata = parent.inherited.metadata;
  return inherited;
};

/** Fields that apply inside a scope, in addition to those around it. */
export const scopeOf = (parent: Place | undefined, fields: Inherited): Place => {
  const metadata = { ...parent?.inherited.metadata, ...fields.metadata };
  const all = inherit(parent, fields);
  return {
    traceId: parent?.traceId,
    spanId: parent?.spanId,
    inherited: { ...handDown(all, undefined), ...(Object.keys(metadata).length > 0 && { metadata }) },
    outer: parent?.outer,
  };
};

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** Calls `done` with the outcome of a value. The caller gets exactly what it would get without this. */
const watch = <T>(value: T, done: (error?: { thrown: unknown }) => void): T => {
  if (!isThenable(value)) {
    done();
    return value;
  }
  const settled = value.then(
    (result) => {
      done();
      return result;
    },
    (thrown: unknown) => {
      done({ thrown });
      throw thrown;
    },
  );
  if (value.constructor === Promise) return settled as T;
  // A promise with methods of its own, such as those of the providers' clients, is returned unchanged.
  settled.then(undefined, () => {});
  return value;
};

/** Starts a span; `parent` is undefined for the root of a new trace. */
export const openSpan = (
  host: SpanHost,
  parent: Place | undefined,
  { name, fields = {} }: { name: string; fields?: SpanFields | undefined },
): OpenSpan => {
  const { trace_id, parent_span_id, ...own } = fields;
  const started = performance.now();
  const timestamp = Date.now();
  let event: EventFields = inherit(parent, own);
  let ended = false;
  const traceId = trace_id ?? parent?.traceId ?? newTraceId();
  const place: Place & { traceId: string; spanId: string } = {
    traceId,
    spanId: newSpanId(),
    inherited: handDown(event, parent),
    outer: parent?.outer,
  };
  const span: Span = {
    traceId,
    spanId: place.spanId,
    set: (more) => {
      event = merge(event, more);
    },
    span: (childName, fn, childFields) => runSpan(host, place, { name: childName, fn, fields: childFields }),
    track: (tracked) => host.track(tracked, place),
    run: (inner) => runAt(place, inner),
  };
  const end = (more: EventFields = {}): void => {
    if (ended) return;
    ended = true;
    const latency_ms = performance.now() - started;
    if (!host.isOpen(traceId)) return;
    host.recorder.soon(() => ({
      event: {
        ...host.defaults,
        kind: 'span',
        name,
        operation: name,
        ...merge(event, more),
        event_id: host.eventId(place),
        trace_id: traceId,
        span_id: place.spanId,
        parent_span_id: parent_span_id ?? (traceId === parent?.traceId ? parent.spanId : undefined),
        timestamp: new Date(timestamp).toISOString(),
        latency_ms,
      },
    }));
  };
  return { span, place, end };
};

/** Runs `fn` as a span; `parent` is undefined for the root of a new trace. */
export const runSpan = <T>(
  host: SpanHost,
  parent: Place | undefined,
  { name, fn, fields }: { name: string; fn: (span: Span) => T; fields?: SpanFields | undefined },
): T => {
  const { span, place, end } = openSpan(host, parent, { name, fields });
  try {
    return watch(
      runAt(place, () => fn(span)),
      (error) => end(error && readFailure(error.thrown)),
    );
  } catch (error) {
    end(readFailure(error));
    throw error;
  }
};
