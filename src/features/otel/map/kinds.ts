import type { EventKind } from '../../../core/events/contract.ts';

/**
 * Attributes that state the kind of a span, in order of precedence. Only inference operations are calls: agents,
 * steps, tools and workflows also have provider, model and even the token totals of their calls.
 */
export const KINDS: readonly {
  readonly attribute: string;
  /** A name that is not of one dialect only: an unknown value states nothing. */
  readonly shared?: boolean;
  readonly values: Readonly<Record<string, EventKind>>;
}[] = [
  {
    attribute: 'gen_ai.operation.name',
    values: {
      chat: 'llm',
      text_completion: 'llm',
      generate_content: 'llm',
      completion: 'llm',
      completions: 'llm',
      messages: 'llm',
      responses: 'llm',
      embeddings: 'embedding',
      embedding: 'embedding',
      execute_tool: 'tool',
      tool: 'tool',
      invoke_agent: 'agent',
      create_agent: 'agent',
      agent_step: 'agent',
      step: 'agent',
      handoff: 'agent',
      model_generation: 'chain',
      model_chunk: 'span',
      invoke_workflow: 'chain',
      workflow: 'chain',
      task: 'chain',
      chain: 'chain',
      retrieval: 'retrieval',
      retriever: 'retrieval',
      rerank: 'retrieval',
      guardrail: 'guardrail',
    },
  },
  {
    attribute: 'openinference.span.kind',
    values: {
      llm: 'llm',
      embedding: 'embedding',
      tool: 'tool',
      agent: 'agent',
      chain: 'chain',
      retriever: 'retrieval',
      reranker: 'retrieval',
      guardrail: 'guardrail',
      evaluator: 'chain',
      prompt: 'chain',
      unknown: 'span',
    },
  },
  {
    attribute: 'ai.operationId',
    values: {
      'ai.generatetext.dogenerate': 'llm',
      'ai.streamtext.dostream': 'llm',
      'ai.generateobject.dogenerate': 'llm',
      'ai.streamobject.dostream': 'llm',
      'ai.embed.doembed': 'embedding',
      'ai.embedmany.doembed': 'embedding',
      'ai.toolcall': 'tool',
      'ai.generatetext': 'chain',
      'ai.streamtext': 'chain',
      'ai.generateobject': 'chain',
      'ai.streamobject': 'chain',
      'ai.embed': 'chain',
      'ai.embedmany': 'chain',
      'ai.rerank': 'chain',
      'ai.rerank.dorerank': 'retrieval',
    },
  },
  {
    attribute: 'langfuse.observation.type',
    values: {
      generation: 'llm',
      embedding: 'embedding',
      tool: 'tool',
      agent: 'agent',
      chain: 'chain',
      retriever: 'retrieval',
      guardrail: 'guardrail',
      evaluator: 'chain',
      span: 'span',
      event: 'span',
    },
  },
  {
    attribute: 'llm.request.type',
    values: { chat: 'llm', completion: 'llm', embedding: 'embedding', rerank: 'retrieval' },
  },
  {
    attribute: 'traceloop.span.kind',
    values: { workflow: 'chain', task: 'chain', agent: 'agent', tool: 'tool' },
  },
  {
    attribute: 'langsmith.span.kind',
    values: {
      llm: 'llm',
      embedding: 'embedding',
      tool: 'tool',
      chain: 'chain',
      retriever: 'retrieval',
      prompt: 'chain',
      parser: 'chain',
    },
  },
  {
    attribute: 'genkit:metadata:subtype',
    values: {
      model: 'llm',
      embedder: 'embedding',
      tool: 'tool',
      'tool.v2': 'tool',
      flow: 'chain',
      prompt: 'chain',
      'executable-prompt': 'chain',
      retriever: 'retrieval',
      reranker: 'retrieval',
      util: 'chain',
    },
  },
  {
    attribute: 'genkit:type',
    values: { util: 'chain', flowstep: 'chain' },
  },
  {
    // VoltAgent. Others use the name too, for kinds of their own.
    attribute: 'span.type',
    shared: true,
    values: {
      llm: 'llm',
      tool: 'tool',
      agent: 'agent',
      retriever: 'retrieval',
      guardrail: 'guardrail',
      workflow: 'chain',
      'workflow-step': 'chain',
      scorer: 'chain',
      memory: 'span',
      embedding: 'embedding',
    },
  },
  {
    // VoltAgent, on the span of an agent's or workflow's run.
    attribute: 'entity.type',
    shared: true,
    values: { agent: 'agent', workflow: 'chain' },
  },
];

/** Clients that name the operation of each inference; their other spans (counting tokens, files) are not calls. */
export const NAMES_ITS_CALLS: ReadonlySet<string> = new Set(['com.anthropic.sdk.typescript']);
