import type { AttributeValue } from '../read/attributes.ts';
import type { Span } from '../read/span.ts';
import { FRAMEWORKS } from './mapping.ts';
import type { FinishReasons } from './read-finish-reasons.ts';
import { addOwnValues } from './read-own-values.ts';

/**
 * Attributes that are kept in `metadata` unchanged: short names, ids and numbers whose meaning a convention defines.
 * It is an allowlist, because every client sends prompts and answers by default, in attributes that no denylist
 * covers completely.
 */
const KEPT: readonly string[] = [
  'gen_ai.operation.name',
  'openinference.span.kind',
  'ai.operationId',
  'langfuse.observation.type',
  'llm.request.type',
  'traceloop.span.kind',
  'gen_ai.response.id',
  'gen_ai.response.model',
  'gen_ai.output.type',
  'gen_ai.request.max_tokens',
  'gen_ai.request.temperature',
  'gen_ai.request.top_p',
  'gen_ai.request.top_k',
  'gen_ai.request.seed',
  'gen_ai.request.choice.count',
  'gen_ai.request.frequency_penalty',
  'gen_ai.request.presence_penalty',
  'gen_ai.openai.request.service_tier',
  'gen_ai.openai.response.service_tier',
  'gen_ai.openai.response.system_fingerprint',
  'openai.request.service_tier',
  'openai.response.service_tier',
  'openai.response.system_fingerprint',
  'openai.api.type',
  'gen_ai.usage.total_tokens',
  'gen_ai.usage.cost',
  'llm.cost.total',
  'operation.cost',
  'anthropic.response.service_tier',
  'gen_ai.response.service_tier',
  'ai.telemetry.functionId',
  'gen_ai.agent.id',
  'gen_ai.tool.type',
  'gen_ai.tool.call.id',
  'ai.toolCall.id',
  'gen_ai.data_source.id',
  'gen_ai.workflow.name',
  'traceloop.workflow.name',
  'langfuse.observation.level',
  'http.request.method',
  'http.response.status_code',
  'http.status_code',
  'server.address',
  'server.port',
  'db.system.name',
  'db.system',
  'messaging.system',
  'rpc.system',
];

/** Spans that are not calls keep these in metadata: the values are totals of their calls. */
const KEPT_BESIDE_CALLS: readonly string[] = [
  'gen_ai.provider.name',
  'gen_ai.system',
  'gen_ai.request.model',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
];

export const KEPT_OF_RESOURCE: readonly string[] = ['service.name', 'cloud.region'];

/** Longest name or id; longer text is not kept. */
const LONGEST = 200;

const ON_CALLS: ReadonlySet<string> = new Set(KEPT);
const BESIDE_CALLS: ReadonlySet<string> = new Set([...KEPT, ...KEPT_BESIDE_CALLS]);

/** Whether an attribute of this name is kept in metadata, at least on some spans. */
export const isKeptName = (name: string): boolean => BESIDE_CALLS.has(name);

/** The span's metadata, by the attributes' own names. */
export function readMetadata(span: Span, isCall: boolean, reasons: FinishReasons): Record<string, unknown> {
  const metadata: Record<string, unknown> = Object.create(null);
  const kept = isCall ? ON_CALLS : BESIDE_CALLS;
  for (const [name, value] of span.attributes) if (kept.has(name)) keep(metadata, name, value);
  for (const name of KEPT_OF_RESOURCE) keep(metadata, name, span.resource.get(name));
  const framework = frameworkOf(span);
  if (framework !== null) metadata.framework = framework;
  if (reasons.all.length > 1) metadata['gen_ai.response.finish_reasons'] = reasons.all;
  addOwnValues(span, metadata);
  return metadata;
}

/** The name of a framework that a client sends in place of a provider. */
function frameworkOf({ attributes }: Span): string | null {
  for (const name of ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system']) {
    const value = attributes.get(name);
    const framework = typeof value === 'string' ? value.trim().toLowerCase() : '_other';
    if (framework !== '_other' && FRAMEWORKS.has(framework)) return framework;
  }
  return null;
}

function keep(metadata: Record<string, unknown>, name: string, value: AttributeValue | undefined): void {
  if (typeof value === 'number' || typeof value === 'boolean') metadata[name] = value;
  else if (typeof value === 'string' && value.length <= LONGEST) metadata[name] = value.toWellFormed();
}
