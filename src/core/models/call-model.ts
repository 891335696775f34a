import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { outboundOf } from '../outbound/index.ts';
import { readIngestSettings } from '../projects/index.ts';
import { extendScope, type ProjectScope } from '../tenancy/index.ts';
import { refuseExhausted } from '../usage/index.ts';
import type { ModelAnswer, Told } from './answer.ts';
import type { Once } from './ask/kept-answers.ts';
import type { CallEnd, CallPart, ChatMessage, ModelConfig } from './contract.ts';
import { openModel } from './dialects.ts';
import { type Estimate, estimateCost, OWN_ENVIRONMENT } from './estimate-cost.ts';
import { toEventEnd } from './event-end.ts';
import { type FoundModel, findAllowed, ledgerProvider, modelsOf } from './models-of.ts';
import { type OutputReader, outputReader } from './output-reader.ts';
import { recordCall } from './record-call.ts';
import { type Reply, requestReply } from './request-reply.ts';
import { reserveCall } from './reserve-call.ts';
import { toCallOptions } from './to-call-options.ts';

/** A call of a model that the product makes. */
export type ModelCall = {
  /** The project that it serves, and in which its event is stored. */
  readonly scope: ProjectScope;
  /** Who asked for it. Calls of `system` are not audited one by one. */
  readonly actor: Actor;
  /** Feature of the product, which the event has as its agent. */
  readonly agent: string;
  /** Action of the audit log, such as `model.called`. */
  readonly action: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly config: ModelConfig;
  /** Version of the library that the messages are from; null for others. */
  readonly prompt: { readonly name: string; readonly version: string } | null;
  readonly stream: boolean;
  /** Trace that the event joins; a new one if unset. */
  readonly traceId?: string;
  /** Tags of the event, such as the experiment that the call is of: its cost can be read by them. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The key of `askModel`, and which attempt this is. */
  readonly once?: Once;
  /** False: neither messages nor answer are stored, also in a project that stores prompts. */
  readonly keepsContent?: false;
  /** Waits for a place instead of being refused, and takes none of people. */
  readonly isBackground?: boolean;
};

export type CallOptions = {
  /** Ends the call as `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called with each part as it arrives. Must not throw. */
  readonly onPart?: (part: CallPart) => void;
};

/** Largest text of a request: messages, tools and schema, without images. */
const MAX_REQUEST = 2_000_000;

/**
 * Calls a model that the operator allows. The most that the call can cost is reserved before, and its event is stored
 * with its real cost after it, also if it fails or is cancelled.
 * @returns the end of the call; failures of the provider are no exceptions
 * @throws AppError before anything was sent: 400 for a request or model that is not allowed, 429 if the monthly cap or the
 * quota of events is used up or too many calls run, 503 if no model is configured
 */
export function callModel(ctx: Ctx, call: ModelCall, options: CallOptions = {}): Promise<ModelAnswer> {
  const { running } = modelsOf(ctx);
  const made = make(ctx, call, options).finally(() => running.delete(made));
  running.add(made);
  return made;
}

async function make(
  ctx: Ctx,
  call: ModelCall,
  { signal, onPart = () => {} }: CallOptions,
): Promise<ModelAnswer> {
  const { scope, config } = call;
  const found = findAllowed(ctx, call.model);
  const request = toCallOptions(call.messages, config);
  const output = outputReader(config);
  if (JSON.stringify(request).length - imageCharacters(call.messages) > MAX_REQUEST)
    throw badRequest(
      `The request has more than ${MAX_REQUEST} characters; shorten its messages, tools or schema`,
    );
  const { monthlyEvents, monthlyBytes } = await readIngestSettings(ctx, scope);
  refuseExhausted(ctx, extendScope(scope, { monthlyEvents, monthlyBytes }));
  const { gate, backgroundGate, stopping } = modelsOf(ctx);
  const ending = signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, signal]);
  const leave = await (call.isBackground ? backgroundGate : gate).enter(scope.organizationId, ending);
  try {
    const startedAt = ctx.now();
    const place = {
      id: call.once?.eventId ?? Bun.randomUUIDv7('hex', startedAt),
      traceId: call.traceId ?? randomHex(16),
      startedAt,
    };
    const estimate = await begin(ctx, call, found, place);
    onPart({
      type: 'started',
      eventId: place.id,
      traceId: place.traceId,
      model: call.model,
      expected: estimate.expected,
    });
    if (output.warning !== null) onPart({ type: 'warning', message: output.warning });
    const since = performance.now();
    const reply = await requestReply({
      open: (onReply) => openModel(found, outboundOf(ctx), onReply),
      options:
        call.once === undefined ? request : { ...request, headers: repeatHeaders(scope, call.once.key) },
      stream: call.stream,
      apiKey: found.setting.apiKey,
      signal: ending,
      emit: onPart,
    });
    return await end(ctx, { call, found, place, reply, since, onPart, output });
  } finally {
    leave();
  }
}

const imageCharacters = (messages: readonly ChatMessage[]): number =>
  messages.flatMap(({ images = [] }) => images).reduce((sum, { length }) => sum + length, 0);

/**
 * The same for each attempt under a key: a provider that knows this header answers a call that was cut off by a crash
 * without doing and charging it again.
 */
const repeatHeaders = ({ projectId }: ProjectScope, key: string): Record<string, string> => ({
  'Idempotency-Key': createHash('sha256')
    .update(JSON.stringify([projectId, key]))
    .digest('hex'),
});

type Place = { readonly id: string; readonly traceId: string; readonly startedAt: number };

const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();

/** Fields of the event that are known before the call. */
const eventStart = ({ agent, prompt, stream, tags }: ModelCall, found: FoundModel, place: Place) => ({
  event_id: place.id,
  trace_id: place.traceId,
  span_id: randomHex(8),
  timestamp: formatInstant(place.startedAt),
  provider: ledgerProvider(found.setting),
  model: found.model,
  operation: 'chat',
  environment: OWN_ENVIRONMENT,
  agent,
  stream,
  ...(prompt !== null && { prompt_name: prompt.name, prompt_version: prompt.version }),
  ...(tags !== undefined && { tags }),
});

async function begin(ctx: Ctx, call: ModelCall, found: FoundModel, place: Place): Promise<Estimate> {
  const { scope, actor, messages, config, model, prompt, action } = call;
  const planned = { provider: ledgerProvider(found.setting), model: found.model, messages, config };
  const estimate = await estimateCost(ctx, scope, planned, { withHistory: call.isBackground !== true });
  const { maxCostUsd } = estimate.expected;
  const event = eventStart(call, found, place);
  const note = {
    action,
    after: { model, eventId: place.id, maxCostUsd, ...(prompt !== null && { prompt }) },
  };
  const { id, startedAt } = place;
  const { maxNano } = estimate;
  const { once = null } = call;
  await reserveCall(ctx, { id, scope, actor, startedAt, maxNano, note, event, once });
  return estimate;
}

type Ending = {
  readonly call: ModelCall;
  readonly found: FoundModel;
  readonly place: Place;
  readonly reply: Reply;
  /** In milliseconds of `performance.now()`. */
  readonly since: number;
  readonly onPart: (part: CallPart) => void;
  readonly output: OutputReader;
};

async function end(
  ctx: Ctx,
  { call, found, place, reply: made, since, onPart, output }: Ending,
): Promise<ModelAnswer> {
  const { reply, failure, attempts } = made;
  const latencyMs = performance.now() - since;
  const ttftMs = call.stream && reply.firstAt !== null ? reply.firstAt - since : null;
  const said = { messages: call.messages, config: call.config };
  const { keepsContent = true } = call;
  const ending = toEventEnd(made, { said, latencyMs, ttftMs, keepsContent });
  const fields = { ...eventStart(call, found, place), ...ending };
  const { text, reasoning, toolCalls } = reply;
  const { scope, once } = call;
  const told: Told = {
    eventId: place.id,
    traceId: place.traceId,
    model: call.model,
    status: failure?.status ?? 'success',
    errorCode: failure?.code ?? null,
    error: failure?.message ?? null,
    outputProblem: failure === null ? output.problemIn({ text, toolCalls }) : null,
    finishReason: reply.finishReason,
    latencyMs,
    ttftMs,
    attempts,
  };
  const kept =
    once === undefined || failure !== null
      ? undefined
      : { key: once.key, json: JSON.stringify({ ...told, text, reasoning, toolCalls }) };
  const recorded = await recordCall(ctx, scope, fields, kept);
  const ended: CallEnd = { ...told, ...recorded };
  onPart({ type: 'finished', call: ended });
  return { ...ended, text, reasoning, toolCalls };
}
