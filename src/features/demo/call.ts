import type { EventInput } from '../../core/events/input/contract.ts';
import { drawFault, type Failure, type Fault } from './faults.ts';
import { EMBEDDING_MODEL, MODELS, type ModelName, type ModelProfile } from './models.ts';
import type { Random } from './random.ts';
import { addEvent, type Place, type Run } from './run.ts';
import { slowdownFactor } from './story.ts';
import { drawUsage, MAX_OUTPUT, type Usage, type UsageSpec, usageFields } from './usage.ts';

/** One call of a language model, before its size and outcome are drawn. */
export type CallSpec = UsageSpec & {
  readonly model: ModelName;
  readonly prompt: string;
  readonly promptVersion: string;
  readonly stream?: boolean;
  /** True when the model answers with a tool call. */
  readonly toolCall?: boolean;
  readonly promptHash?: string;
};

type DrawnCall = { readonly spec: CallSpec; readonly profile: ModelProfile; readonly usage: Usage };

const CANCELLED_STREAMS = 0.012;
const CANCELLED: Failure = {
  status: 'cancelled',
  error_code: 'client_disconnected',
  error_message: 'The client closed the stream.',
};

/** Calls a model once. The event's input tokens include cached and cache-write tokens. */
export function callModel(run: Run, place: Place, spec: CallSpec): Failure | undefined {
  const { random, now, at } = run;
  const profile: ModelProfile = MODELS[spec.model];
  const fault = run.calm ? undefined : drawFault(random, { now, at, profile });
  const usage = drawUsage(random, spec, { now, at, profile });
  return fault
    ? addFailedCall(run, place, { spec, profile, usage, fault })
    : addAnsweredCall(run, place, { spec, profile, usage });
}

/**
 * Calls a model as client libraries do: after a rate limit or a timeout it waits and retries up to twice. If the
 * provider still fails, it calls `fallback` once.
 */
export function callWithRetry(
  run: Run,
  place: Place,
  spec: CallSpec & { readonly fallback?: ModelName },
): Failure | undefined {
  let failure = callModel(run, place, spec);
  for (let attempt = 0; attempt < 2; attempt++) {
    if (failure?.status !== 'rate_limited' && failure?.status !== 'timeout') break;
    run.at += Math.round(run.random.logNormal(1200 * 2 ** attempt, 0.2));
    failure = callModel(run, place, spec);
  }
  const canMove = failure !== undefined && failure.status !== 'cancelled';
  return canMove && spec.fallback ? callModel(run, place, { ...spec, model: spec.fallback }) : failure;
}

/** Embeds `inputTokens` tokens of text. */
export function embed(run: Run, place: Place, inputTokens: number): Failure | undefined {
  const { random, now, at } = run;
  const fault = run.calm ? undefined : drawFault(random, { now, at, profile: EMBEDDING_MODEL });
  addEvent(run, place, {
    kind: 'embedding',
    ...EMBEDDING_MODEL,
    operation: 'embeddings',
    name: `embeddings ${EMBEDDING_MODEL.model}`,
    ...(fault ? toFailure(fault) : { status: 'success', input_tokens: inputTokens }),
    latency_ms: fault
      ? faultLatency(random, fault)
      : Math.round(random.logNormal(70 + inputTokens / 60, 0.35)),
  });
  return fault && toFailure(fault);
}

function addAnsweredCall(run: Run, place: Place, { spec, profile, usage }: DrawnCall): Failure | undefined {
  const { random } = run;
  const stream = spec.stream ?? false;
  const cancelled = stream && !run.calm && random.chance(CANCELLED_STREAMS);
  const output = cancelled ? Math.ceil(usage.output * random.next()) : usage.output;
  const slower = slowdownFactor(run.now, run.at, profile.model);
  const uncached = usage.input - usage.cached;
  const ttft = Math.round(slower * random.logNormal(profile.ttftMs * (1 + uncached / 25_000), 0.3));
  const writing = Math.round((slower * random.logNormal(1, 0.22) * output * 1000) / profile.speed);
  addEvent(run, place, {
    ...callFields(profile, spec),
    ...(stream && { stream, ttft_ms: ttft }),
    ...usageFields({ ...usage, output, reasoning: Math.min(usage.reasoning, output) }),
    ...(cancelled ? CANCELLED : { status: 'success', finish_reason: finishReason({ spec, profile, usage }) }),
    latency_ms: ttft + writing,
  });
  return cancelled ? CANCELLED : undefined;
}

function addFailedCall(run: Run, place: Place, call: DrawnCall & { readonly fault: Fault }): Failure {
  const { spec, profile, usage, fault } = call;
  const billed = { ...usageFields({ ...usage, output: 0, reasoning: 0 }), finish_reason: 'content_filter' };
  addEvent(run, place, {
    ...callFields(profile, spec),
    ...(spec.stream && { stream: true }),
    ...(fault.billed && billed),
    ...toFailure(fault),
    latency_ms: faultLatency(run.random, fault),
  });
  return toFailure(fault);
}

function callFields(profile: ModelProfile, spec: CallSpec): EventInput {
  return {
    kind: 'llm',
    provider: profile.provider,
    model: profile.model,
    operation: 'chat',
    name: `chat ${profile.model}`,
    prompt_name: spec.prompt,
    prompt_version: spec.promptVersion,
    ...(spec.promptHash !== undefined && { prompt_hash: spec.promptHash }),
  };
}

function finishReason({ spec, profile, usage }: DrawnCall): string {
  const { stop, tool, length } = profile.finish;
  if (usage.output - usage.reasoning >= MAX_OUTPUT) return length;
  return spec.toolCall ? tool : stop;
}

function toFailure({ status, error_code, error_message }: Fault): Failure {
  return { status, error_code, error_message };
}

function faultLatency(random: Random, fault: Fault): number {
  return Math.round(random.logNormal(fault.latencyMs, fault.sigma));
}
