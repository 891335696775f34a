import { currentPlace, type Place } from './context.ts';
import type { EventFields } from './event.ts';
import { readFailure } from './failure.ts';
import { newEventId, newSpanId, newTraceId } from './ids.ts';
import type { Prompt } from './prompt.ts';
import type { Recorder } from './recorder.ts';

/** One call to a model, from its start to its one end. Nothing here throws. */
export type Call = {
  readonly traceId: string;
  readonly spanId: string;
  /** False where the call is not in the sample: nothing about it needs to be found out. */
  readonly recorded: boolean;
  /** Notes the time to the first token; later ones change nothing. */
  firstToken(): void;
  /** The call has an answer. A function is called later, when nobody waits. */
  end(fields?: EventFields | (() => EventFields)): void;
  /** The call failed with what was thrown: status, code and message are read from it. */
  fail(error: unknown, fields?: EventFields | (() => EventFields)): void;
  /** The caller lost interest before the answer was complete. */
  cancel(code: string, fields?: EventFields | (() => EventFields)): void;
};

/** A call under way, for its client to give up. */
export type OpenCall = { giveUp(): void };

/** What a call needs from its client. */
export type CallHost = {
  readonly recorder: Recorder;
  readonly isOpen: (traceId: string) => boolean;
  /** Told when a recorded call starts and when it ends, so that the client can wait for it. */
  readonly opened: (call: OpenCall) => void;
  readonly closed: (call: OpenCall) => void;
  readonly defaults: Pick<EventFields, 'environment' | 'release'>;
};

const ignore = (): void => {};

/** The fields with those of the surrounding span in front; tags of both. */
export const inherit = <F extends EventFields>(place: Place | undefined, fields: F): F => {
  if (place === undefined) return fields;
  const { tags, ...rest } = place.inherited;
  const merged = { ...rest, ...fields };
  if (tags !== undefined) merged.tags = { ...tags, ...fields.tags };
  return merged;
};

/** What the event of a call holds besides what its end says. */
const ids = (place: Place | undefined, call: { traceId: string; spanId: string }) => ({
  event_id: newEventId(),
  trace_id: call.traceId,
  span_id: call.spanId,
  parent_span_id: place?.spanId,
});

const evaluate = (fields: EventFields | (() => EventFields) | undefined): EventFields =>
  (typeof fields === 'function' ? fields() : fields) ?? {};

/**
 * Starts a call in a place, by default that of the span this code runs in.
 * @param prompt what was asked, for `prompt_hash`; its list of messages is copied, as callers add to it.
 */
export const startCall = (
  host: CallHost,
  fields: EventFields,
  prompt?: Prompt,
  place: Place | undefined = currentPlace(),
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
  const open: OpenCall = { giveUp: () => close(() => ({ status: 'cancelled', error_code: 'unread' })) };
  host.opened(open);

  const close = (late: () => EventFields): void => {
    if (ended) return;
    ended = true;
    const latency_ms = performance.now() - started;
    host.closed(open);
    host.recorder.soon(() => ({
      event: {
        ...host.defaults,
        ...inherit(place, given),
        ...ids(place, call),
        timestamp: new Date(timestamp).toISOString(),
        latency_ms,
        ttft_ms: ttft,
        ...late(),
      },
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
    fail: (error, late) => close(() => ({ ...evaluate(late), ...readFailure(error) })),
    cancel: (code, late) => close(() => ({ ...evaluate(late), status: 'cancelled', error_code: code })),
  };
};

const copyList = (messages: unknown): unknown => (Array.isArray(messages) ? messages.slice() : messages);

/** A list of messages, or an object with one in it: long enough to outlive what the caller adds to it. */
const copyLists = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).map(([name, value]) => [name, copyList(value)]))
    : copyList(input);
