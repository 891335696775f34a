/**
 * The expected events of the recordings in this folder. Each recording is what the real client sent to
 * `clients/mock-provider.ts` in November 2026 (ids and texts are original; times, host names and stack traces are
 * changed), except `langsmith`, which follows the translator of langsmith 0.10.5.
 *
 * A call of the mock has 1200 input tokens, 1024 of them cached, and 48 output tokens, 16 of them reasoning (OpenAI);
 * 160 fresh, 2048 cached, 256 cache-write and 77 output tokens (Anthropic and Bedrock: 2464 input); 1200 input tokens,
 * 1024 of them cached, 32 output tokens and 16 thoughts (Gemini); 18 input tokens (embeddings).
 * If a line has less, the client sent less. Lines are those of `describeCall`, in order of the calls' start.
 */
export type Expectation = {
  readonly client: string;
  readonly spans: number;
  readonly calls: readonly string[];
  readonly user?: string;
  readonly session?: string;
  readonly environment?: string;
  /** Of all spans. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Differences if each span is sent in its own request. */
  readonly singly?: {
    readonly calls: readonly string[];
    readonly statuses: Readonly<Record<string, number>>;
  };
  /** Of the calls, where the price is not that of all that was used. */
  readonly costs?: Readonly<Record<string, number>>;
  /** The user's own values that are kept, on the first call. */
  readonly tags?: object;
  readonly plan?: string;
};

const GPT = 'openai/gpt-4o';
const DATED = 'openai/gpt-4o-2024-08-06';
const CLAUDE = 'anthropic/claude-sonnet-4-5';
const EMBED = 'openai/text-embedding-3-small';
const BEDROCK = 'aws/us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOTHING = '0/0/0 0/0 -';
const PLAIN = '1200/0/0 48/0';
const CACHED = '1200/1024/0 48/0';
const FULL = '1200/1024/0 48/16';
const CLAUDE_FULL = '2464/2048/256 77/0';
const EMBEDDED = `${EMBED} success 18/0/0 0/0 -`;

const failures = (model: string, codes: readonly [string, string, string, string]): string[] =>
  ['rate_limited', 'error', 'timeout', 'cancelled'].map(
    (status, i) => `${model} ${status}:${codes[i]} ${NOTHING}`,
  );
const SDK_CLASSES = [
  'RateLimitError',
  'InternalServerError',
  'APIConnectionTimeoutError',
  'APIUserAbortError',
] as const;

const anthropicSdk = [
  `${CLAUDE} success ${CLAUDE_FULL} end_turn`,
  `${CLAUDE} success ${CLAUDE_FULL} end_turn stream ttft`,
  `${CLAUDE} success ${CLAUDE_FULL} tool_use`,
  ...failures(CLAUDE, ['rate_limit_error', 'api_error', 'client_timeout_error', 'cancelled']),
];

/** In version 5 only streams report OpenAI's cached tokens. */
const vercel5 = [
  `${GPT} success ${PLAIN} stop`,
  `${GPT} success ${FULL} stop stream ttft`,
  `${GPT} success ${PLAIN} tool-calls`,
  `${GPT} success ${PLAIN} stop`,
  `${GPT} success ${PLAIN} stop`,
  `${GPT} success ${FULL} stop stream ttft`,
  `${CLAUDE} success ${CLAUDE_FULL} stop`,
  `${CLAUDE} success ${CLAUDE_FULL} stop stream ttft`,
  EMBEDDED,
  `${GPT} rate_limited:AI_APICallError ${NOTHING}`,
  `${GPT} error:AI_APICallError ${NOTHING}`,
  `${GPT} error:AI_APICallError ${NOTHING}`,
  `${GPT} timeout:TimeoutError ${NOTHING}`,
  `${GPT} cancelled:AbortError ${NOTHING}`,
  `${GPT} success ${PLAIN} stop`,
];
const vercel7 = (usage: string): string[] => [
  `${GPT} success ${usage} stop`,
  `${GPT} success ${usage} stop stream ttft`,
  `${GPT} success ${usage} tool-calls`,
  `${GPT} success ${usage} stop`,
  `${GPT} success ${usage} stop`,
  `${GPT} success ${usage} stop stream ttft`,
  `${CLAUDE} success ${CLAUDE_FULL} stop`,
  `${CLAUDE} success ${CLAUDE_FULL} stop stream ttft`,
  EMBEDDED,
  `${GPT} rate_limited:AI_APICallError ${NOTHING}`,
  `${GPT} error:AI_RetryError ${NOTHING}`,
  `${GPT} timeout:TimeoutError ${NOTHING}`,
  `${GPT} cancelled:AbortError ${NOTHING}`,
  `${GPT} success ${usage} stop`,
];
const sentry = (limited: string, failed: string): string[] => [
  `${GPT} success ${CACHED} stop`,
  `${GPT} success ${CACHED} stop stream`,
  `${GPT} success 0/0/0 0/0 stop stream`,
  `${GPT} success ${CACHED} tool_calls`,
  `${GPT} success ${CACHED} stop`,
  `${GPT} success ${CACHED} completed`,
  `${GPT} success ${CACHED} completed stream`,
  EMBEDDED,
  ...failures(GPT, ['', '', '', '']).map((line, i) => {
    const outcome = [limited, failed, 'error:error', 'error:error'][i] ?? '';
    return line.replace(/ \S+:/, ` ${outcome}`);
  }),
  ...anthropicSdk,
];
const mastra = ['stop', 'stop', 'tool-calls', 'stop'].map((finish) => `${GPT} success ${FULL} ${finish}`);
const OWN = { user: 'u1', session: 's1', plan: 'gold' } as const;
const TAGS = { beta: true, eu: true };

export const EXPECTATIONS: readonly Expectation[] = [
  {
    client: 'otel-contrib-openai',
    spans: 12,
    statuses: { success: 8, rate_limited: 1, error: 1, timeout: 1, cancelled: 1 },
    calls: [
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success 0/0/0 0/0 stop`,
      `${GPT} success ${PLAIN} tool_calls`,
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${PLAIN} stop`,
      EMBEDDED,
      ...failures(GPT, SDK_CLASSES),
    ],
  },
  {
    client: 'anthropic-sdk',
    spans: 7,
    statuses: { success: 3, rate_limited: 1, error: 1, timeout: 1, cancelled: 1 },
    calls: anthropicSdk,
  },
  {
    // OpenAI's failures and embeddings have no span; tokens of its streams are estimated with tiktoken.
    client: 'traceloop',
    spans: 59,
    ...OWN,
    statuses: { success: 51, rate_limited: 2, error: 2, timeout: 2, cancelled: 2 },
    calls: [
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success 26/0/0 12/0 stop`,
      `${GPT} success 26/0/0 12/0 stop`,
      `${GPT} success ${PLAIN} tool_call`,
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${NOTHING}`,
      `${CLAUDE} success ${CLAUDE_FULL} stop`,
      `${CLAUDE} success ${CLAUDE_FULL} -`,
      `${CLAUDE} success ${CLAUDE_FULL} tool_call`,
      ...failures(CLAUDE, ['Error', 'Error', 'Error', 'Error']),
    ],
  },
  {
    client: 'traceloop-0.14',
    spans: 50,
    ...OWN,
    statuses: { success: 46, rate_limited: 1, error: 1, timeout: 1, cancelled: 1 },
    calls: [
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success 26/0/0 12/0 stop`,
      `${GPT} success 26/0/0 12/0 stop`,
      `${GPT} success ${PLAIN} tool_calls`,
      `${GPT} success ${PLAIN} stop`,
      `${CLAUDE} success 160/0/0 77/0 end_turn`,
      `${CLAUDE} success 160/0/0 77/0 -`,
      `${CLAUDE} success 160/0/0 77/0 tool_use`,
      ...failures(CLAUDE, ['Error', 'Error', 'Error', 'Error']),
    ],
  },
  {
    client: 'langchain-traceloop',
    spans: 11,
    statuses: { success: 7, rate_limited: 1, error: 1, timeout: 1, cancelled: 1 },
    calls: [
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${PLAIN} stop`,
      `${GPT} success ${PLAIN} stop`,
      ...failures(GPT, ['rate_limit_error', 'api_error', 'TimeoutError', 'AbortError']),
      `${GPT} success ${PLAIN} tool_call`,
    ],
  },
  {
    // OpenAI's failures have no span, its chat streams and embeddings no tokens.
    client: 'openinference',
    spans: 22,
    ...OWN,
    tags: TAGS,
    statuses: { success: 14, rate_limited: 2, error: 2, timeout: 2, cancelled: 2 },
    calls: [
      `${DATED} success ${FULL} stop`,
      `${GPT} success 0/0/0 0/0 stop stream`,
      `${GPT} success 0/0/0 0/0 stop stream`,
      `${DATED} success ${FULL} tool_calls`,
      `${DATED} success ${FULL} stop`,
      `${DATED} success ${FULL} -`,
      `${DATED} success ${FULL} - stream`,
      `${EMBED} success ${NOTHING}`,
      `${CLAUDE} success ${CLAUDE_FULL} end_turn`,
      `${CLAUDE} success ${CLAUDE_FULL} end_turn stream`,
      `${CLAUDE} success ${CLAUDE_FULL} tool_use`,
      ...failures(CLAUDE, SDK_CLASSES),
    ],
  },
  {
    client: 'langchain-openinference',
    spans: 11,
    ...OWN,
    statuses: { success: 7, rate_limited: 1, error: 1, timeout: 1, cancelled: 1 },
    calls: [
      `${GPT} success ${FULL} stop`,
      `${GPT} success ${FULL} stop stream`,
      `${GPT} success ${FULL} stop`,
      ...failures(GPT, ['429', '500', 'timeout', 'cancelled']),
      `${GPT} success ${FULL} tool_calls`,
    ],
  },
  {
    client: 'openai-agents-openinference',
    spans: 31,
    statuses: { success: 23, rate_limited: 1, error: 7 },
    calls: [
      ...Array.from({ length: 4 }, () => `${DATED} success ${FULL} stop`),
      `${GPT} success ${FULL} stop`,
      `${GPT} rate_limited:429 ${NOTHING}`,
      `${GPT} error:500 ${NOTHING}`,
    ],
  },
  {
    client: 'vercel-ai-5',
    spans: 29,
    ...OWN,
    statuses: { success: 19, rate_limited: 1, error: 5, timeout: 2, cancelled: 2 },
    calls: vercel5,
  },
  {
    client: 'vercel-ai-5-bun',
    spans: 29,
    ...OWN,
    statuses: { success: 19, rate_limited: 1, error: 5, timeout: 2, cancelled: 2 },
    calls: vercel5,
  },
  {
    client: 'vercel-ai-7',
    spans: 40,
    statuses: { success: 27, rate_limited: 1, error: 6, timeout: 3, cancelled: 3 },
    calls: vercel7(CACHED),
  },
  {
    client: 'vercel-ai-7-legacy',
    spans: 28,
    statuses: { success: 19, rate_limited: 1, error: 4, timeout: 2, cancelled: 2 },
    calls: vercel7(FULL),
  },
  {
    client: 'langfuse',
    spans: 31,
    ...OWN,
    environment: 'staging',
    tags: TAGS,
    statuses: { success: 26, rate_limited: 2, error: 1, timeout: 1, cancelled: 1 },
    calls: [
      `${DATED} success ${FULL} -`,
      `${GPT} success ${FULL} - stream ttft`,
      `${GPT} success ${NOTHING} stream ttft`,
      `${DATED} success ${FULL} -`,
      `${DATED} success ${FULL} -`,
      `${DATED} success ${FULL} -`,
      `${DATED} success ${FULL} - stream ttft`,
      `${EMBED} success ${NOTHING}`,
      ...failures(GPT, ['429', '500', 'timeout', 'cancelled']),
      // Created by hand: with its own cost, in OpenAI's format, an embedding, a failure.
      `${GPT} success ${PLAIN} - stream ttft`,
      `${GPT} success ${CACHED} -`,
      EMBEDDED,
      `${GPT} rate_limited:429 ${NOTHING}`,
    ],
  },
  {
    client: 'langsmith',
    spans: 9,
    ...OWN,
    tags: TAGS,
    statuses: { success: 7, rate_limited: 1, timeout: 1 },
    calls: [
      `${GPT} success ${FULL} stop`,
      `${GPT} success ${FULL} stop stream`,
      `${GPT} success ${FULL} tool_calls`,
      `${GPT} success ${FULL} stop`,
      `${GPT} success ${FULL} -`,
      `${GPT} rate_limited:Error ${NOTHING}`,
      `${GPT} timeout:Error ${NOTHING}`,
    ],
  },
  {
    // Of a failed call only its HTTP request knows why, if both come together, and of one without an answer
    // nobody does.
    client: 'sentry',
    spans: 57,
    statuses: { success: 45, rate_limited: 2, error: 8, timeout: 1, cancelled: 1 },
    calls: sentry('rate_limited:429', 'error:500'),
    singly: {
      statuses: { success: 45, rate_limited: 1, error: 9, timeout: 1, cancelled: 1 },
      calls: sentry('error:error', 'error:error'),
    },
  },
  {
    client: 'voltagent',
    spans: 25,
    user: 'u1',
    session: 's1',
    statuses: { success: 23, rate_limited: 1, error: 1 },
    calls: [
      `${GPT} success ${FULL} stop`,
      `${GPT} success ${FULL} stop stream`,
      // One span stands for the two calls of a tool's loop; the agent's span has their tokens.
      `${GPT} success 2400/2048/0 96/32 stop`,
      `${GPT} rate_limited:rate_limited ${NOTHING}`,
    ],
    singly: {
      calls: [
        `${GPT} success ${FULL} stop`,
        `${GPT} success ${FULL} stop stream`,
        `${GPT} success ${FULL} stop`,
        `${GPT} rate_limited:rate_limited ${NOTHING}`,
      ],
      statuses: { success: 23, rate_limited: 1, error: 1 },
    },
  },
  {
    client: 'mastra',
    spans: 24,
    ...OWN,
    statuses: { success: 22, rate_limited: 1, error: 1 },
    calls: [...mastra, `${GPT} rate_limited:Error 0/0/0 0/0 error`],
    // The reason of a failure is on the agent's span, which may come in another request.
    singly: {
      calls: [...mastra, `${GPT} error:error 0/0/0 0/0 error`],
      statuses: { success: 22, error: 2 },
    },
  },
  {
    // Genkit names neither users nor sessions, and no tokens of embeddings.
    client: 'genkit',
    spans: 15,
    statuses: { success: 11, rate_limited: 1, error: 3 },
    calls: [
      ...Array.from({ length: 4 }, () => `${GPT} success ${FULL} stop`),
      `${EMBED} success ${NOTHING}`,
      `${GPT} rate_limited:429 ${NOTHING}`,
      `${GPT} error:500 ${NOTHING}`,
    ],
  },
  {
    client: 'langgraph-openinference',
    spans: 19,
    ...OWN,
    statuses: { success: 16, rate_limited: 1, error: 2 },
    calls: [
      `${GPT} success ${FULL} stop`,
      `${GPT} success ${FULL} tool_calls`,
      `${GPT} success ${FULL} stop`,
      `${GPT} rate_limited:429 ${NOTHING}`,
    ],
  },
  {
    // A model of an inference profile is its maker: requests of Converse and replies of InvokeModel name it in full,
    // streams of InvokeModel do not. Streams of Converse have the tokens of the cache only in their total.
    client: 'bedrock-openinference',
    spans: 10,
    ...OWN,
    tags: { beta: true },
    statuses: { success: 7, rate_limited: 2, error: 1 },
    costs: { priced: 6, estimated: 1, unpriced: 3 },
    calls: [
      `${BEDROCK} success ${CLAUDE_FULL} end_turn`,
      `${BEDROCK} success 160/0/0 77/0 end_turn`,
      `${BEDROCK} success ${CLAUDE_FULL} tool_use`,
      `aws/claude-sonnet-4-5-20250929 success ${CLAUDE_FULL} end_turn`,
      `aws/anthropic success ${CLAUDE_FULL} end_turn`,
      `aws/nova-pro-v1:0 success ${CLAUDE_FULL} end_turn`,
      'aws/titan-embed-text-v2:0 success 18/0/0 0/0 -',
      `aws/anthropic rate_limited:ThrottlingException ${NOTHING}`,
      `${BEDROCK} rate_limited:ThrottlingException ${NOTHING}`,
      `${BEDROCK} error:ECONNRESET ${NOTHING}`,
    ],
  },
  {
    // It counts tokens of InvokeModel only, without those of the cache, and leaves out who made a model.
    client: 'bedrock-traceloop',
    spans: 8,
    ...OWN,
    statuses: { success: 6, rate_limited: 2 },
    costs: { priced: 5, estimated: 1, unpriced: 2 },
    calls: [
      `aws.bedrock/claude-sonnet-4-5-20250929-v1:0 success ${NOTHING}`,
      `aws.bedrock/claude-sonnet-4-5-20250929-v1:0 success ${NOTHING}`,
      'aws.bedrock/claude-sonnet-4-5-20250929-v1:0 success 160/0/0 77/0 stop',
      'aws.bedrock/claude-sonnet-4-5-20250929-v1:0 success 160/0/0 77/0 stop',
      'aws.bedrock/nova-pro-v1:0 success 160/0/0 77/0 stop',
      'aws.bedrock/titan-embed-text-v2:0 success 18/0/0 0/0 -',
      `aws.bedrock/claude-sonnet-4-5-20250929-v1:0 rate_limited:ThrottlingException ${NOTHING}`,
      `aws.bedrock/claude-sonnet-4-5-20250929-v1:0 rate_limited:ThrottlingException ${NOTHING}`,
    ],
  },
  {
    // It sends neither cached tokens nor thoughts, but a total with the latter.
    client: 'vertex-traceloop',
    spans: 2,
    user: 'u1',
    session: 's1',
    statuses: { success: 1, rate_limited: 1 },
    costs: { priced: 2 },
    calls: [
      'google/gemini-2.5-flash success 1200/0/0 48/16 STOP',
      `google/gemini-2.5-flash rate_limited:ClientError ${NOTHING}`,
    ],
  },
  {
    // Only the reply that it attaches has the tokens written to the cache. LangChain adds the output that the start of
    // a stream counts to that of its end.
    client: 'langchain-anthropic-openinference',
    spans: 2,
    user: 'u1',
    session: 's2',
    statuses: { success: 2 },
    costs: { priced: 2 },
    calls: [`${CLAUDE} success ${CLAUDE_FULL} end_turn`, `${CLAUDE} success 2464/2048/256 78/0 -`],
  },
  {
    client: 'langfuse-4',
    spans: 11,
    user: 'u1',
    session: 's1',
    environment: 'staging',
    tags: { beta: true },
    statuses: { success: 9, rate_limited: 1, timeout: 1 },
    costs: { priced: 6, unpriced: 2 },
    calls: [
      `${DATED} success ${FULL} -`,
      `${GPT} success ${FULL} - stream ttft`,
      `${DATED} success ${FULL} -`,
      `${DATED} success ${FULL} -`,
      `${DATED} success ${FULL} - stream ttft`,
      `${EMBED} success ${NOTHING}`,
      `${GPT} rate_limited:429 ${NOTHING}`,
      `${GPT} timeout:timeout ${NOTHING}`,
    ],
  },
  {
    // Tokens of a stream without usage are counted with tiktoken.
    client: 'openlit',
    spans: 7,
    user: 'u1',
    session: 's1',
    environment: 'staging',
    statuses: { success: 7 },
    costs: { priced: 7 },
    calls: [
      `${GPT} success ${CACHED} stop`,
      `${GPT} success ${CACHED} stop stream ttft`,
      `${GPT} success 8/0/0 7/0 stop stream`,
      `${GPT} success ${CACHED} tool_calls`,
      `${GPT} success ${FULL} completed`,
      `${GPT} success ${FULL} completed stream ttft`,
      EMBEDDED,
    ],
  },
];
