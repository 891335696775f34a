/**
 * Replies of OpenAI and Anthropic with fixed usage. Markers in the prompt select the outcome: `#429`, `#500`, `#hang`
 * (no reply), `#tool` (a call of the tool `get_weather`).
 */

/** An OpenAI call: 1200 tokens in, 1024 of them cached, 48 out, 16 of them reasoning. */
export const OPENAI_CALL = { input: 1200, cached: 1024, output: 48, reasoning: 16 } as const;
/** An Anthropic call: 160 fresh, 2048 read from the cache, 256 written to it, 77 out. */
export const ANTHROPIC_CALL = { fresh: 160, cached: 2048, written: 256, output: 77 } as const;
export const EMBEDDING_TOKENS = 18;
/** Text that must not appear in the store or in a reply unless the project stores prompts. */
export const SECRET_PROMPT = 'SENTINEL-PROMPT-7f3a';
export const SECRET_ANSWER = 'SENTINEL-ANSWER-7f3a';

type Json = { readonly [key: string]: unknown };
type Call = { readonly path: string; readonly body: Json; readonly text: string };

const CHAT_MODEL = 'gpt-4o-2024-08-06';
const CLAUDE = 'claude-sonnet-4-5-20250929';
const CREATED = 1_780_000_000;
const CHUNK_DELAY_MS = 20;

const chatUsage = {
  prompt_tokens: OPENAI_CALL.input,
  completion_tokens: OPENAI_CALL.output,
  total_tokens: OPENAI_CALL.input + OPENAI_CALL.output,
  prompt_tokens_details: { cached_tokens: OPENAI_CALL.cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: OPENAI_CALL.reasoning, audio_tokens: 0 },
};
const responsesUsage = {
  input_tokens: OPENAI_CALL.input,
  input_tokens_details: { cached_tokens: OPENAI_CALL.cached },
  output_tokens: OPENAI_CALL.output,
  output_tokens_details: { reasoning_tokens: OPENAI_CALL.reasoning },
  total_tokens: OPENAI_CALL.input + OPENAI_CALL.output,
};
const claudeUsage = {
  input_tokens: ANTHROPIC_CALL.fresh,
  cache_read_input_tokens: ANTHROPIC_CALL.cached,
  cache_creation_input_tokens: ANTHROPIC_CALL.written,
  cache_creation: { ephemeral_5m_input_tokens: ANTHROPIC_CALL.written, ephemeral_1h_input_tokens: 0 },
  output_tokens: ANTHROPIC_CALL.output,
  service_tier: 'standard',
};

/** Serves until `stop`; `url` has no path. */
export function startMockProvider(port = 0): { readonly url: string; readonly stop: () => Promise<void> } {
  const server = Bun.serve({ port, hostname: '127.0.0.1', idleTimeout: 30, fetch: answer });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

async function answer(request: Request): Promise<Response> {
  const text = await request.text();
  const call = { path: new URL(request.url).pathname, body: JSON.parse(text || '{}') as Json, text };
  // Longer than any client of the tests waits.
  if (text.includes('#hang')) await Bun.sleep(10_000);
  if (text.includes('#429')) return failure(call, 429, 'rate_limit_error', 'Rate limit reached for requests');
  if (text.includes('#500')) return failure(call, 500, 'api_error', 'The server had an error');
  if (call.path.endsWith('/embeddings')) return Response.json(embeddings(call.body));
  if (call.path.endsWith('/responses')) return streamOr(call, responsesEvents, responses);
  if (call.path.endsWith('/messages')) return streamOr(call, messagesEvents, messages);
  return streamOr(call, chatChunks, chat);
}

function failure({ path }: Call, status: number, type: string, message: string): Response {
  const error = { type, code: type, message, param: null };
  return Response.json(path.endsWith('/messages') ? { type: 'error', error } : { error }, { status });
}

function streamOr(
  call: Call,
  events: (call: Call) => readonly Json[],
  whole: (call: Call) => Json,
): Response {
  if (call.body.stream !== true) return Response.json(whole(call));
  const named = !call.path.endsWith('/chat/completions');
  const lines = events(call).map(
    (event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  );
  if (!named) lines.push('data: [DONE]\n\n');
  const stream = new ReadableStream({
    async pull(controller) {
      const line = lines.shift();
      if (line === undefined) return controller.close();
      // The latency of a provider, which the spans report.
      await Bun.sleep(CHUNK_DELAY_MS);
      controller.enqueue(new TextEncoder().encode(line));
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/** A tool is called once: a prompt with its result gets the final reply. */
const wantsTool = ({ text }: Call): boolean =>
  text.includes('#tool') && !/"role":\s*"tool"|tool_result|function_call_output/.test(text);
const ARGUMENTS = JSON.stringify({ city: SECRET_ANSWER });

function chat(call: Call): Json {
  const message = wantsTool(call)
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } },
        ],
      }
    : { role: 'assistant', content: SECRET_ANSWER, refusal: null };
  const finish = wantsTool(call) ? 'tool_calls' : 'stop';
  const choices = [{ index: 0, message, finish_reason: finish, logprobs: null }];
  if (call.body.n === 2) choices.push({ index: 1, message, finish_reason: 'length', logprobs: null });
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: CREATED,
    model: CHAT_MODEL,
    choices,
    usage: chatUsage,
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  };
}

function chatChunks(call: Call): Json[] {
  const chunk = (delta: Json, finish: string | null): Json => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: CHAT_MODEL,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  });
  const parts = wantsTool(call)
    ? [
        chunk(
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                index: 0,
                id: 'call_1',
                type: 'function',
                function: { name: 'get_weather', arguments: ARGUMENTS },
              },
            ],
          },
          null,
        ),
        chunk({}, 'tool_calls'),
      ]
    : [
        chunk({ role: 'assistant', content: SECRET_ANSWER }, null),
        chunk({ content: ' more' }, null),
        chunk({}, 'stop'),
      ];
  const options = call.body.stream_options as Json | undefined;
  return options?.include_usage === true
    ? [...parts, { ...chunk({}, null), choices: [], usage: chatUsage }]
    : parts;
}

function responses(call: Call): Json {
  const output = wantsTool(call)
    ? [
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'get_weather',
          arguments: ARGUMENTS,
          status: 'completed',
        },
      ]
    : [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: SECRET_ANSWER, annotations: [] }],
        },
      ];
  return {
    id: 'resp_1',
    object: 'response',
    created_at: CREATED,
    status: 'completed',
    model: CHAT_MODEL,
    output,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: responsesUsage,
    user: null,
    metadata: {},
  };
}

function responsesEvents(call: Call): Json[] {
  const done = responses(call);
  const begun = { ...done, status: 'in_progress', output: [], usage: null };
  const [item] = done.output as Json[];
  const at = { output_index: 0, item_id: item?.id, content_index: 0 };
  const middle = wantsTool(call)
    ? [
        { type: 'response.function_call_arguments.delta', ...at, delta: ARGUMENTS },
        { type: 'response.function_call_arguments.done', ...at, arguments: ARGUMENTS },
      ]
    : [
        {
          type: 'response.content_part.added',
          ...at,
          part: { type: 'output_text', text: '', annotations: [] },
        },
        { type: 'response.output_text.delta', ...at, delta: SECRET_ANSWER, logprobs: [] },
        { type: 'response.output_text.done', ...at, text: SECRET_ANSWER, logprobs: [] },
        {
          type: 'response.content_part.done',
          ...at,
          part: { type: 'output_text', text: SECRET_ANSWER, annotations: [] },
        },
      ];
  const empty =
    item?.type === 'message'
      ? { ...item, content: [], status: 'in_progress' }
      : { ...item, arguments: '', status: 'in_progress' };
  const events: Json[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: empty },
    ...middle,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function embeddings(body: Json): Json {
  const inputs = Array.isArray(body.input) ? body.input.length : 1;
  const vector = [0.25, -0.5, 0.75];
  const embedding =
    body.encoding_format === 'base64'
      ? Buffer.from(new Float32Array(vector).buffer).toString('base64')
      : vector;
  return {
    object: 'list',
    model: 'text-embedding-3-small',
    data: Array.from({ length: inputs }, (_, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: EMBEDDING_TOKENS, total_tokens: EMBEDDING_TOKENS },
  };
}

function messages(call: Call): Json {
  const tool = wantsTool(call);
  const content = tool
    ? [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: SECRET_ANSWER } }]
    : [{ type: 'text', text: SECRET_ANSWER }];
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: CLAUDE,
    content,
    stop_reason: tool ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: claudeUsage,
  };
}

function messagesEvents(call: Call): Json[] {
  const whole = messages(call);
  const [block] = whole.content as Json[];
  const delta =
    block?.type === 'tool_use'
      ? { type: 'input_json_delta', partial_json: ARGUMENTS }
      : { type: 'text_delta', text: SECRET_ANSWER };
  const start = block?.type === 'tool_use' ? { ...block, input: {} } : { type: 'text', text: '' };
  return [
    {
      type: 'message_start',
      message: { ...whole, content: [], stop_reason: null, usage: { ...claudeUsage, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: whole.stop_reason, stop_sequence: null },
      usage: { output_tokens: ANTHROPIC_CALL.output },
    },
    { type: 'message_stop' },
  ];
}

if (import.meta.main) console.log(startMockProvider(Number(process.argv[2] ?? 0)).url);
