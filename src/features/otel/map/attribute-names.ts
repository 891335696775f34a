/** Names of older versions of the conventions, with their current names (semantic-conventions 1.28 to 1.42). */
const SUCCESSORS: Readonly<Record<string, string>> = {
  'gen_ai.system': 'gen_ai.provider.name',
  'gen_ai.usage.prompt_tokens': 'gen_ai.usage.input_tokens',
  'gen_ai.usage.completion_tokens': 'gen_ai.usage.output_tokens',
  'gen_ai.usage.cache_read_input_tokens': 'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_creation_input_tokens': 'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.cache_creation.input_tokens': 'gen_ai.usage.cache_write.input_tokens',
  'gen_ai.usage.reasoning_tokens': 'gen_ai.usage.reasoning.output_tokens',
  'gen_ai.prompt': 'gen_ai.input.messages',
  'gen_ai.completion': 'gen_ai.output.messages',
  'gen_ai.request.available_tools': 'gen_ai.tool.definitions',
  'gen_ai.response.streaming': 'gen_ai.request.stream',
  'gen_ai.request.is_stream': 'gen_ai.request.stream',
  'gen_ai.client.operation.time_to_first_chunk': 'gen_ai.response.time_to_first_chunk',
  'gen_ai.openai.request.service_tier': 'openai.request.service_tier',
  'gen_ai.openai.response.service_tier': 'openai.response.service_tier',
  'gen_ai.openai.response.system_fingerprint': 'openai.response.system_fingerprint',
  'llm.request.type': 'gen_ai.operation.name',
  'llm.usage.prompt_tokens': 'gen_ai.usage.input_tokens',
  'llm.usage.completion_tokens': 'gen_ai.usage.output_tokens',
  'llm.is_streaming': 'gen_ai.request.stream',
  'enduser.id': 'user.id',
  'http.method': 'http.request.method',
  'http.status_code': 'http.response.status_code',
  'deployment.environment': 'deployment.environment.name',
};
const SPREAD: readonly (readonly [RegExp, string])[] = [
  [/^gen_ai\.prompt\.\d/, 'gen_ai.input.messages'],
  [/^gen_ai\.completion\.\d+\.finish_reason$/, 'gen_ai.response.finish_reasons'],
  [/^gen_ai\.completion\.\d/, 'gen_ai.output.messages'],
];

/** Attributes in which clients send prompts, answers, and tools with their arguments. */
const CONTENT: readonly RegExp[] = [
  /^gen_ai\.(?:(?:input|output|request)\.messages|system_instructions|tool\.definitions|request\.available_tools)$/,
  /^gen_ai\.tool\.(?:call\.(?:arguments|result)|args)$/,
  /^gen_ai\.(?:prompt|completion)(?:$|\.\d+\.(?!finish_reason$|role$))/,
  /^gen_ai\.(?:response\.(?:text|tool_calls|object)|embeddings\.input)$/,
  /^(?:input|output)\.value$/,
  /^llm\.(?:input_messages|output_messages|prompt_template|prompts|tools|invocation_parameters|request\.functions)(?:\.|$)/,
  /^embedding\.(?:embeddings|text|vector)(?:\.|$)/,
  /^ai\.(?:prompt|response\.(?:text|object|toolCalls|reasoning|files)|toolCall\.(?:args|input|result|output)|embeddings?|values?|schema)(?:\.|$)/,
  /^traceloop\.entity\.(?:input|output)$/,
  /^langfuse\.(?:observation|trace)\.(?:input|output)$/,
  /^langfuse\.observation\.metadata(?:\.|$)/,
  /^(?:input|output)$/,
  /^llm\.messages$/,
  /^agent\.(?:messages(?:\.ui)?|instructions|stateSnapshot)$/,
  /^genkit:(?:input|output|metadata:context)$/,
  /^mastra\.\w+\.(?:input|output)$/,
  /^mastra\.metadata\.(?:body|headers)$/,
  /^gcp\.vertex\.agent\.(?:llm_request|llm_response|tool_call_args|tool_response|data)$/,
  /^gen_ai\.tool\.description$/,
  /^(?:exception\.stacktrace|error\.stack|tool\.(?:parameters|json_schema|description)|retrieval\.documents.*)$/,
];

/** Current name of an attribute of an older convention; null if it has none. */
export function successorOf(name: string): string | null {
  if (Object.hasOwn(SUCCESSORS, name)) return SUCCESSORS[name] ?? null;
  return SPREAD.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Whether an attribute is known to contain a prompt or an answer. Unknown attributes are not stored either. */
export const isContent = (name: string): boolean => CONTENT.some((pattern) => pattern.test(name));
