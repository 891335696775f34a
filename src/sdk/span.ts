import type { CallHost } from './call.ts';
import { inherit } from './call.ts';
import { type Inherited, type Place, runAt } from './context.ts';
import type { EventFields, SpanledgerEvent } from './event.ts';
import { readFailure } from './failure.ts';
import { newEventId, newSpanId, newTraceId } from './ids.ts';

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

const HANDED_DOWN = ['user_id', 'session_id', 'agent', 'tags', 'environment', 'release'] as const;

const handDown = (fields: EventFields): Inherited => {
  const inherited: Record<string, unknown> = {};
  for (const name of HANDED_DOWN) if (fields[name] !== undefined) inherited[name] = fields[name];
  return inherited;
};

const merge = (a: EventFields, b: EventFields): EventFields => ({
  ...a,
  ...b,
  ...((a.tags || b.tags) && { tags: { ...a.tags, ...b.tags } }),
  ...((a.metadata || b.metadata) && { metadata: { ...a.metadata, ...b.metadata } }),
});

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

/** Runs `fn` as a span; `parent` is undefined for the root of a new trace. */
export const runSpan = <T>(
  host: SpanHost,
  parent: Place | undefined,
  { name, fn, fields = {} }: { name: string; fn: (span: Span) => T; fields?: SpanFields | undefined },
): T => {
  const { trace_id, parent_span_id, ...own } = fields;
  const started = performance.now();
  const timestamp = Date.now();
  let event = inherit(parent, own);
  const place: Place = {
    traceId: trace_id ?? parent?.traceId ?? newTraceId(),
    spanId: newSpanId(),
    inherited: handDown(event),
  };
  const span: Span = {
    traceId: place.traceId,
    spanId: place.spanId,
    set: (more) => {
      event = merge(event, more);
    },
    span: (childName, childFn, childFields) =>
      runSpan(host, place, { name: childName, fn: childFn, fields: childFields }),
    track: (tracked) => host.track(tracked, place),
    run: (inner) => runAt(place, inner),
  };
  const end = (error?: { thrown: unknown }): void => {
    const latency_ms = performance.now() - started;
    if (!host.isOpen(place.traceId)) return;
    host.recorder.soon(() => ({
      event: {
        ...host.defaults,
        kind: 'span',
        name,
        operation: name,
        ...event,
        event_id: newEventId(),
        trace_id: place.traceId,
        span_id: place.spanId,
        parent_span_id: parent_span_id ?? parent?.spanId,
        timestamp: new Date(timestamp).toISOString(),
        latency_ms,
        ...(error && readFailure(error.thrown)),
      },
    }));
  };
  try {
    return watch(
      runAt(place, () => fn(span)),
      end,
    );
  } catch (error) {
    end({ thrown: error });
    throw error;
  }
};
