import type { Ctx } from '../../../context.ts';
import { OutboundError, outboundOf } from '../../../core/outbound/index.ts';
import { badRequest } from '../../../errors.ts';
import type { Message } from '../../../lib/simulations/conversation/run-conversation.ts';
import type { Reply, Target, ToolCall } from '../../../lib/simulations/definition.ts';
import { bodyOf, type Sent } from '../../../lib/simulations/target/fill-body.ts';
import { readReply } from '../../../lib/simulations/target/read-reply.ts';
import { headersWith, type Secrets } from '../secrets.ts';
import type { Place, RunContext } from './place.ts';
import { resultOf } from './tool-result.ts';

type HttpTarget = Extract<Target, { readonly url: string }>;

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 2_000_000;
/** Rounds in which a target calls tools before it answers. */
const MAX_STEPS = 8;

/** A request to a target. `key` and `traceId`: the same when it is repeated after a crash. */
export type Request = {
  readonly target: HttpTarget;
  readonly secrets: Secrets;
  readonly sent: Sent;
  readonly key: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
};

/** An answer with what came over the line, for those who set up a target. */
export type Exchange = Reply & { readonly status: number | null; readonly raw: string | null };

type Sending = { readonly place: Place; readonly target: HttpTarget; readonly message: Message };

/** Sends a message; a target of the kind openai may call tools that the suite answers. */
export async function sendHttp(
  ctx: Ctx,
  { secrets, signal }: RunContext,
  { place, target, message }: Sending,
): Promise<Reply> {
  const { runId, no, round } = place.conversation;
  const conversationId = `${runId}-${no}-${round}`;
  const key = `${conversationId}-${message.turn}`;
  const traceId = place.trace(message.turn);
  return sendSteps(ctx, { target, secrets, sent: { ...message, conversationId }, key, traceId, signal });
}

/** Sends requests until the target answers without a call of a tool that the suite has a result for. */
export async function sendSteps(ctx: Ctx, request: Request): Promise<Exchange> {
  const { target } = request;
  const results = target.kind === 'openai' ? (target.toolResults ?? {}) : {};
  const made: ToolCall[] = [];
  let messages = request.sent.messages;
  let total = { latencyMs: 0, costUsd: 0 as number | null };
  for (let step = 1; ; step++) {
    const key = step === 1 ? request.key : `${request.key}-${step}`;
    const reply = await exchange(ctx, { ...request, key, sent: { ...request.sent, messages } });
    const calls = reply.toolCalls.map((call, i): ToolCall => {
      const result = resultOf(results, call);
      const id = call.id ?? `call_${request.sent.turn}_${step}_${i + 1}`;
      return result === undefined ? call : { ...call, id, result };
    });
    made.push(...calls);
    total = {
      latencyMs: total.latencyMs + reply.latencyMs,
      costUsd: total.costUsd === null || reply.costUsd === null ? null : total.costUsd + reply.costUsd,
    };
    const goesOn =
      calls.length > 0 && calls.every(({ result }) => result !== undefined) && reply.error === null;
    if (!goesOn) return { ...reply, ...total, toolCalls: made };
    if (step === MAX_STEPS)
      return {
        ...reply,
        ...total,
        toolCalls: made,
        error: `The target called tools ${MAX_STEPS} times without an answer`,
      };
    messages = [
      ...messages,
      { role: 'assistant', content: reply.text, toolCalls: calls },
      ...calls.map(({ id = '', result = '' }) => ({
        role: 'tool' as const,
        content: result,
        toolCallId: id,
      })),
    ];
  }
}

async function exchange(
  ctx: Ctx,
  { target, secrets, sent, key, traceId, signal }: Request,
): Promise<Exchange> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'idempotency-key': key,
    traceparent: `00-${traceId}-${traceId.slice(0, 16)}-01`,
    ...headersWith(target, secrets),
  };
  const started = performance.now();
  const nothing = { text: '', toolCalls: [], costUsd: null, traceId: null, status: null, raw: null };
  try {
    const response = await outboundOf(ctx).fetch(addressOf(target), {
      method: 'POST',
      headers,
      body: JSON.stringify(bodyOf(target, sent)),
      timeoutMs: target.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    const text = await response.text();
    const { status } = response;
    const contentType = response.headers.get('content-type') ?? '';
    const read = readReply(target, { status, contentType, traceId: traceIn(response.headers), text });
    return { ...read, latencyMs: performance.now() - started, status, raw: text.slice(0, 4_000) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    // No conversation of the run could reach it.
    if (error.code === 'refused') throw badRequest(`The target cannot be called: ${error.message}`);
    return { ...nothing, error: error.message, latencyMs: performance.now() - started };
  }
}

/** A target of the kind openai is named by its base, such as `https://host/v1`, or by the whole address. */
const addressOf = ({ kind, url }: HttpTarget): string =>
  kind === 'openai' && !/\/chat\/completions\/?(\?.*)?$/.test(url)
    ? `${url.replace(/\/+$/, '')}/chat/completions`
    : url;

function traceIn(headers: Headers): string | null {
  const parent = /^\s*[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}/.exec(headers.get('traceparent') ?? '')?.[1];
  return parent ?? headers.get('x-trace-id')?.slice(0, 128) ?? null;
}
