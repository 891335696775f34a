import type { CostStatus, EventKind, EventStatus } from '../../../core/events/contract.ts';
import type { FILTER_FIELDS } from '../../../core/events/filter/contract.ts';
import type { Outcome } from '../../../lib/guardrails/definition.ts';

type FieldName = keyof typeof FILTER_FIELDS;

const named = <K extends string>(names: Readonly<Record<K, true>>): readonly string[] => Object.keys(names);

const STATUSES = named<EventStatus | 'failed'>({
  success: true,
  failed: true,
  error: true,
  timeout: true,
  rate_limited: true,
  cancelled: true,
});
const KINDS = named<EventKind>({
  llm: true,
  embedding: true,
  tool: true,
  agent: true,
  chain: true,
  retrieval: true,
  guardrail: true,
  span: true,
});
const OUTCOMES = named<Outcome>({ allow: true, flag: true, redact: true, block: true });
const COST_STATUSES = named<CostStatus>({ priced: true, unpriced: true, client: true, estimated: true });

/** Fields of the filter language: what people call them, and the values or an example that the box offers. */
export const FIELDS: Readonly<
  Record<
    FieldName,
    { readonly label: string; readonly values?: readonly string[]; readonly example?: string }
  >
> = {
  model: { label: 'Model' },
  provider: { label: 'Provider' },
  status: { label: 'Status', values: STATUSES },
  error: { label: 'Error code', example: 'error:*' },
  message: { label: 'Error message', example: 'message:*quota*' },
  user: { label: 'User', example: 'user:*' },
  session: { label: 'Session', example: 'session:*' },
  environment: { label: 'Environment' },
  kind: { label: 'Kind', values: KINDS },
  name: { label: 'Span name', example: 'name:*search*' },
  operation: { label: 'Operation', example: 'operation:chat' },
  agent: { label: 'Agent', example: 'agent:*' },
  agentVersion: { label: 'Agent version', example: 'agentVersion:2' },
  tool: { label: 'Tool', example: 'tool:*' },
  release: { label: 'Release', example: 'release:*' },
  prompt: { label: 'Prompt', example: 'prompt:*' },
  promptVersion: { label: 'Prompt version', example: 'promptVersion:3' },
  finish: { label: 'Finish reason', example: 'finish:length' },
  sdk: { label: 'SDK version', example: 'sdk:*' },
  key: { label: 'API key', example: 'key:*' },
  costStatus: { label: 'Cost status', values: COST_STATUSES },
  guardrail: { label: 'Guardrail', values: OUTCOMES },
  stream: { label: 'Streamed', values: ['true', 'false'] },
  latency: { label: 'Latency', example: 'latency>2s' },
  ttft: { label: 'First token', example: 'ttft>500ms' },
  cost: { label: 'Cost in USD', example: 'cost>0.01' },
  input: { label: 'Input tokens', example: 'input>10k' },
  output: { label: 'Output tokens', example: 'output>1k' },
  cached: { label: 'Cached tokens', example: 'cached:0' },
  reasoning: { label: 'Reasoning tokens', example: 'reasoning>0' },
  tokens: { label: 'All tokens', example: 'tokens>50k' },
};
