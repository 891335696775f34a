import type { Place } from './context.ts';
import type { EventFields } from './event.ts';
import { readFailure } from './failure.ts';
import { newSpanId, newTraceId } from './ids.ts';
import type { Prompt } from './prompt.ts';
import type { Recorder } from './recorder.ts';

/** One call to a model. It ends exactly once. Its methods never throw. */
export type Call = {
  readonly traceId: string;
  readonly spanId: string;
  /** False if the call is not sampled; its details then need not be collected. */
  readonly recorded: boolean;
  /** Records the time to the first token; later calls have no effect. */
  firstToken(): void;
  /** Ends the call with its result. A function runs later, off the caller's path. */
  end(fields?: EventFields | (() => EventFields)): void;
  /** Ends the call with an error; status, code and message are read from the thrown value. */
  fail(error: unknown, fields?: EventFields | (() => EventFields)): void;
  /** Ends the call as cancelled: the caller stopped before the result was complete. */
  cancel(code: string, fields?: EventFields | (() => EventFields)): void;
};

/** A running call, which its client can cancel. */
export type OpenCall = { giveUp(): void };

/** The parts of the client that a call uses. */
export type CallHost = {
  readonly recorder: Recorder;
  readonly isOpen: (traceId: string) => boolean;
  /** The current place; `around` is the OpenTelemetry span of the call, if its client made one. */
  readonly place: (around?: unknown) => Place | undefined;
  /** A new id for the event of a span at a place. */
  readonly eventId: (place: Pick<Place, 'traceId' | 'spanId' | 'outer'>) => string;
  /** Called when a recorded call starts; the client can then wait for its end. */
  readonly opened: (call: OpenCall) => void;
  readonly closed: (call: OpenCall) => void;
  readonly defaults: Pick<EventFields, 'environment' | 'release'>;
  /** The prompt of the library that a call's messages came from. */
  readonly promptOf: (prompt: Prompt) => Pick<EventFields, 'prompt_name' | 'prompt_version'> | undefined;
};

const ignore = (): void => {};

/** Merges fields with others, which win; tags and metadata are merged key by key. */
export const merge = <A extends EventFields, B extends EventFields>(a: A, b: B): A & B => ({
  ...a,
  ...b,
  ...((a.tags || b.tags) && { tags: { ...a.tags, ...b.tags } }),
  ...((a.metadata || b.metadata) && { metadata: { ...a.metadata, ...b.metadata } }),
});

const PLAIN = [
  'user_id',
  'session_id',
  'agent',
  'agent_version',
  'environment',
  'release',
  'prompt_name',
  'prompt_version',
] as const;

/** The event's own fields, and those of its surroundings that it does not have. */
export const inherit = <F extends EventFields>(place: Place | undefined, fields: F): F => {
  if (place === undefined) return fields;
  const merged: F = merge(place.inherited, fields);
  for (const name of PLAIN)
    if (merged[name] === undefined && place.inherited[name] !== undefined)
      merged[name] = place.inherited[name];
  return merged;
};

const evaluate = (fields: EventFields | (() => EventFields) | undefined): EventFields =>
  (typeof fields === 'function' ? fields() : fields) ?? {};

/** The error of an answer that a guardrail withheld; a request that it stops is no call. */
const WITHHELD = 'GuardrailError';

/**
 * The fields of a call that did not succeed. If its reply had begun, or nobody waited for its end, the provider may bill
 * more than was reported; the usage then says so, and the server takes no unknown amount for 0.
 */
const withFailure = (fields: EventFields, failure: EventFields, hasBegun: boolean): EventFields => {
  const { finish_reason, input_tokens, usage } = fields;
  const isWhole = finish_reason !== undefined && (input_tokens ?? usage) !== undefined;
  const mayBeBilled =
    hasBegun ||
    failure.status === 'cancelled' ||
    failure.status === 'timeout' ||
    failure.error_code === WITHHELD;
  return {
    ...fields,
    ...failure,
    ...(mayBeBilled && !isWhole && { usage: { ...usage, incomplete: true } }),
  };
};

/**
 * Starts a call in a place, by default the current span.
 * @param prompt the prompt, for `prompt_hash`; its message list is copied, because callers append to it.
 */
export const startCall = (
  host: CallHost,
  fields: EventFields,
  prompt?: Prompt,
  place: Place | undefined = host.place(),
): Call => {
  const call = { traceId: place?.traceId ?? newTraceId(), spanId: newSpanId() };
  if (!host.isOpen(call.traceId)) {
    return { ...call, recorded: false, firstToken: ignore, end: ignore, fail: ignore, cancel: ignore };
  }
  const timestamp = Date.now();
  const started = performance.now();
  let ttft: number | undefined;
  let ended = false;
  const taken = prompt && { ...prompt, messages: copyList(prompt.messages) };
  const given = fields.input === undefined ? fields : { ...fields, input: copyLists(fields.input) };
  const cancelled = (error_code: string, late: EventFields): EventFields =>
    withFailure(late, { status: 'cancelled', error_code }, true);
  const open: OpenCall = { giveUp: () => close(() => cancelled('unread', {})) };
  host.opened(open);

  const close = (late: () => EventFields): void => {
    if (ended) return;
    ended = true;
    const latency_ms = performance.now() - started;
    host.closed(open);
    host.recorder.soon(() => ({
      event: merge(
        {
          ...host.defaults,
          ...inherit(
            place,
            taken === undefined || given.prompt_name ? given : { ...given, ...host.promptOf(taken) },
          ),
          event_id: host.eventId({ ...call, outer: place?.outer }),
          trace_id: call.traceId,
          span_id: call.spanId,
          parent_span_id: place?.spanId,
          timestamp: new Date(timestamp).toISOString(),
          latency_ms,
          ttft_ms: ttft,
        },
        late(),
      ),
      prompt: taken,
    }));
  };

  return {
    ...call,
    recorded: true,
    firstToken() {
      ttft ??= performance.now() - started;
    },
    end: (late) => close(() => evaluate(late)),
    fail: (error, late) => close(() => withFailure(evaluate(late), readFailure(error), ttft !== undefined)),
    cancel: (code, late) => close(() => cancelled(code, evaluate(late))),
  };
};

const copyList = (messages: unknown): unknown => (Array.isArray(messages) ? messages.slice() : messages);

/** Copies a message list, or the list in an object, so that later changes by the caller have no effect. */
const copyLists = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).map(([name, value]) => [name, copyList(value)]))
    : copyList(input);
