/** What a mocked provider answers to a request. Unset fields: a short text with usage. */
export type MockReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an error. */
  readonly error?: string;
  readonly text?: readonly string[];
  readonly reasoning?: string;
  readonly toolCall?: { readonly id: string; readonly name: string; readonly args: object };
  /** Null: none is sent. Tokens as all dialects know them. */
  readonly usage?: MockUsage | null;
  /** Sent in the place of the usage, whatever it is. */
  readonly rawUsage?: unknown;
  /** `cut`: the connection ends in the middle. `hang`: nothing more comes. `endless`: text without an end. */
  readonly ends?: 'cut' | 'hang' | 'endless';
  /** The whole body, instead of what the dialect would send. */
  readonly body?: string;
  /** Awaited before anything is sent, and between the first text and the rest. */
  readonly before?: Promise<unknown>;
  readonly between?: Promise<unknown>;
};

export type MockUsage = {
  /** Cached tokens included. */
  readonly input: number;
  readonly cached?: number;
  /** Reasoning included. */
  readonly output: number;
  readonly reasoning?: number;
};

/** A request that the mock got. */
export type MockRequest = {
  readonly dialect: Dialect;
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

type Dialect = 'openai' | 'anthropic' | 'google';
type Json = Record<string, unknown>;

export type ModelProviderMock = {
  /** Base URLs as the settings take them. */
  readonly url: Readonly<Record<Dialect, string>>;
  readonly requests: MockRequest[];
  /** Decides each reply; the default is a short text. */
  answer: (request: MockRequest) => MockReply;
  close(): void;
};

const USAGE: MockUsage = { input: 1_000, cached: 200, output: 50, reasoning: 10 };

/** A provider of models on loopback that speaks the chat of OpenAI, Anthropic's messages and Gemini, streamed or not. */
export function startModelProvider(): ModelProviderMock {
  const mock: { answer: ModelProviderMock['answer'] } = { answer: () => ({}) };
  const requests: MockRequest[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const asked = await read(request);
      requests.push(asked);
      const reply = mock.answer(asked);
      await reply.before;
      return respond(asked, reply);
    },
  });
  const base = `http://127.0.0.1:${server.port}`;
  return Object.assign(mock, {
    url: { openai: `${base}/openai/v1`, anthropic: `${base}/anthropic/v1`, google: `${base}/google/v1beta` },
    requests,
    close: () => void server.stop(true),
  });
}

async function read(request: Request): Promise<MockRequest> {
  const { pathname } = new URL(request.url);
  const body = (await request.json()) as Json;
  const dialect = pathname.split('/')[1] as Dialect;
  const ofGoogle = /models\/([^:]+):(\w+)/.exec(pathname);
  const model = ofGoogle?.[1] ?? String(body.model);
  const stream = ofGoogle?.[2] === 'streamGenerateContent' || body.stream === true;
  return { dialect, path: pathname, model, stream, headers: request.headers, body };
}

function respond(asked: MockRequest, reply: MockReply): Response {
  const { status = 200, headers = {}, error, body } = reply;
  if (body !== undefined) return new Response(body, { status, headers });
  if (status !== 200)
    return Response.json(ERRORS[asked.dialect](error ?? 'It failed', status), { status, headers });
  const dialect = DIALECTS[asked.dialect];
  if (!asked.stream) return Response.json(dialect.whole(asked, reply), { headers });
  return new Response(toStream(dialect.chunks(asked, reply), reply), {
    headers: { 'content-type': 'text/event-stream', ...headers },
  });
}

const ERRORS = {
  openai: (message: string, status: number) => ({
    error: { message, type: 'mock_error', code: `mock_${status}` },
  }),
  anthropic: (message: string, status: number) => ({
    type: 'error',
    error: { type: `mock_${status}`, message },
  }),
  google: (message: string, status: number) => ({
    error: { code: status, status: `MOCK_${status}`, message },
  }),
} satisfies Record<Dialect, (message: string, status: number) => Json>;

/** Chunks of a stream: those before the pause, and the others. */
type Chunks = { readonly first: readonly string[]; readonly rest: readonly string[]; readonly text: string };
type Speaks = {
  whole(asked: MockRequest, reply: MockReply): Json;
  chunks(asked: MockRequest, reply: MockReply): Chunks;
};

function toStream({ first, rest, text }: Chunks, { ends, between }: MockReply): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* parts(): AsyncGenerator<string> {
    yield* first;
    await between;
    while (ends === 'endless') yield text;
    if (ends === 'hang') await new Promise(() => {});
    if (ends !== 'cut') yield* rest;
  }
  const made = parts();
  return new ReadableStream({
    async pull(controller) {
      const next = await made.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  });
}

const sse = (data: Json, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
const textsOf = ({ text = ['Hello ', 'from ', 'the mock'], toolCall }: MockReply): readonly string[] =>
  toolCall === undefined ? text : [];

const openai: Speaks = {
  whole: ({ model }, reply) => ({
    id: 'chatcmpl-mock',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: reply.toolCall === undefined ? 'stop' : 'tool_calls',
        message: {
          role: 'assistant',
          content: textsOf(reply).join(''),
          ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
          ...(reply.toolCall !== undefined && { tool_calls: [openaiCall(reply.toolCall)] }),
        },
      },
    ],
    ...openaiUsage(reply),
  }),
  chunks: ({ model }, reply) => {
    const chunk = (delta: Json, more: Json = {}): string =>
      sse({
        id: 'chatcmpl-mock',
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: null, ...more }],
      });
    const [one = '', ...others] = textsOf(reply);
    const call = reply.toolCall;
    return {
      text: chunk({ content: 'and on '.repeat(2_000) }),
      first: [
        chunk({ role: 'assistant', content: '' }),
        ...(reply.reasoning === undefined ? [] : [chunk({ reasoning_content: reply.reasoning })]),
        ...(call === undefined ? [] : [chunk({ tool_calls: [{ index: 0, ...openaiCall(call) }] })]),
        ...(one === '' ? [] : [chunk({ content: one })]),
      ],
      rest: [
        ...others.map((content) => chunk({ content })),
        chunk({}, { finish_reason: call === undefined ? 'stop' : 'tool_calls' }),
        sse({
          id: 'chatcmpl-mock',
          object: 'chat.completion.chunk',
          created: 1,
          model,
          choices: [],
          ...openaiUsage(reply),
        }),
        'data: [DONE]\n\n',
      ],
    };
  },
};

const openaiCall = ({ id, name, args }: NonNullable<MockReply['toolCall']>): Json => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

function openaiUsage({ usage = USAGE, rawUsage }: MockReply): Json {
  if (rawUsage !== undefined) return { usage: rawUsage };
  if (usage === null) return {};
  const { input, cached = 0, output, reasoning = 0 } = usage;
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  };
}

const anthropic: Speaks = {
  whole: ({ model }, reply) => ({
    id: 'msg_mock',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...textsOf(reply)
        .slice(0, 1)
        .map(() => ({ type: 'text', text: textsOf(reply).join('') })),
      ...(reply.toolCall === undefined ? [] : [anthropicCall(reply.toolCall)]),
    ],
    stop_reason: reply.toolCall === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: anthropicUsage(reply),
  }),
  chunks: ({ model }, reply) => {
    const usage = anthropicUsage(reply);
    const [one = '', ...others] = textsOf(reply);
    const text = (value: string): string =>
      sse(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: value } },
        'content_block_delta',
      );
    const call = reply.toolCall;
    const block = call === undefined ? { type: 'text', text: '' } : { ...anthropicCall(call), input: {} };
    const start = {
      id: 'msg_mock',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
    };
    return {
      text: text('and on '.repeat(2_000)),
      first: [
        sse(
          { type: 'message_start', message: { ...start, usage: { ...usage, output_tokens: 1 } } },
          'message_start',
        ),
        sse({ type: 'content_block_start', index: 0, content_block: block }, 'content_block_start'),
        ...(one === '' ? [] : [text(one)]),
      ],
      rest: [
        ...others.map(text),
        ...(call === undefined
          ? []
          : [
              sse(
                {
                  type: 'content_block_delta',
                  index: 0,
                  delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.args) },
                },
                'content_block_delta',
              ),
            ]),
        sse({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
        sse(
          {
            type: 'message_delta',
            delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
            usage: { output_tokens: usage.output_tokens },
          },
          'message_delta',
        ),
        sse({ type: 'message_stop' }, 'message_stop'),
      ],
    };
  },
};

const anthropicCall = ({ id, name, args }: NonNullable<MockReply['toolCall']>): Json => ({
  type: 'tool_use',
  id,
  name,
  input: args,
});

function anthropicUsage({ usage }: MockReply): Json {
  const { input, cached = 0, output } = usage ?? USAGE;
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}

const google: Speaks = {
  whole: (asked, reply) => ({ ...googleText(reply, textsOf(reply).join('')), ...googleEnd(asked, reply) }),
  chunks: (asked, reply) => {
    const [one = '', ...others] = textsOf(reply);
    const last = googleText(reply, others.join(''));
    return {
      text: sse(googleText({}, 'and on '.repeat(2_000), null)),
      first: one === '' ? [] : [sse(googleText({}, one, null))],
      rest: [sse({ ...last, ...googleEnd(asked, reply) })],
    };
  },
};

const googleText = ({ toolCall }: MockReply, text: string, finishReason: string | null = 'STOP'): Json => ({
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts:
          toolCall === undefined
            ? [{ text }]
            : [{ functionCall: { name: toolCall.name, args: toolCall.args } }],
      },
      ...(finishReason !== null && { finishReason }),
    },
  ],
});

function googleEnd({ model }: MockRequest, { usage = USAGE, rawUsage }: MockReply): Json {
  if (rawUsage !== undefined) return { modelVersion: model, usageMetadata: rawUsage };
  if (usage === null) return { modelVersion: model };
  const { input, cached = 0, output, reasoning = 0 } = usage;
  return {
    modelVersion: model,
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    },
  };
}

const DIALECTS: Readonly<Record<Dialect, Speaks>> = { openai, anthropic, google };
