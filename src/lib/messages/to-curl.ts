import { isObject } from './message.ts';
import { readMessages } from './read-messages.ts';
import { toAnthropic, toGemini, toOpenAi, toTexts } from './to-requests.ts';

/** What is known of a call. `input` and `metadata` as stored. */
export type SentCall = {
  readonly kind: string;
  readonly provider: string | null;
  readonly model: string | null;
  readonly operation: string;
  readonly stream: boolean;
  readonly input?: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
};

type Request = { readonly url: string; readonly headers: readonly string[]; readonly body: object };

/** Providers with the API of OpenAI: its address, and the variable that usually holds the key. */
const COMPATIBLE: ReadonlyMap<unknown, readonly [url: string, key: string]> = new Map(
  Object.entries<readonly [string, string]>({
    openai: ['https://api.openai.com/v1', 'OPENAI_API_KEY'],
    mistral: ['https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
    groq: ['https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
    deepseek: ['https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'],
    'x-ai': ['https://api.x.ai/v1', 'XAI_API_KEY'],
    xai: ['https://api.x.ai/v1', 'XAI_API_KEY'],
    together: ['https://api.together.xyz/v1', 'TOGETHER_API_KEY'],
    fireworks: ['https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'],
    openrouter: ['https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
    cerebras: ['https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'],
    perplexity: ['https://api.perplexity.ai', 'PERPLEXITY_API_KEY'],
  }),
);
/** Where neither is known, both are left to whoever runs the command. */
const UNKNOWN = ['$BASE_URL', 'API_KEY'] as const;
/** Anthropic's API demands a limit. */
const MAX_TOKENS = 1_024;

/**
 * The provider's request of a call as a command for a POSIX shell, made from what is stored: model, messages, and the
 * parameters that metadata has. The key is a variable of the shell; tools' definitions are not stored and so not in it.
 */
export function toCurl(call: SentCall): string {
  const { url, headers, body } = requestOf(call);
  const lines = [...headers.map((header) => `-H "${header}"`), `-d ${quoted(JSON.stringify(body, null, 2))}`];
  return [`curl "${url}"`, '-H "content-type: application/json"', ...lines].join(' \\\n  ');
}

function requestOf(call: SentCall): Request {
  const model = call.model ?? 'MODEL';
  const messages = readMessages(call.input, 'user');
  const limits = paramsOf(call);
  if (call.kind !== 'embedding' && call.provider === 'anthropic') {
    return {
      url: 'https://api.anthropic.com/v1/messages',
      headers: ['x-api-key: $ANTHROPIC_API_KEY', 'anthropic-version: 2023-06-01'],
      body: { model, max_tokens: MAX_TOKENS, ...limits, ...toAnthropic(messages) },
    };
  }
  if (call.kind !== 'embedding' && (call.provider === 'google' || call.provider === 'gemini')) {
    const { max_tokens: maxOutputTokens, temperature, top_p: topP } = limits;
    const generationConfig = { temperature, topP, maxOutputTokens };
    const isSet = Object.values(generationConfig).some((value) => value !== undefined);
    return {
      url: `https://generativelanguage.googleapis.com/v1beta/models/${encodeURIComponent(model)}:generateContent`,
      headers: ['x-goog-api-key: $GEMINI_API_KEY'],
      body: { ...toGemini(messages), ...(isSet ? { generationConfig } : {}) },
    };
  }
  const [base, key] = COMPATIBLE.get(call.provider) ?? UNKNOWN;
  const headers = [`authorization: Bearer $${key}`];
  if (call.kind === 'embedding')
    return { url: `${base}/embeddings`, headers, body: { model, input: toTexts(messages) } };
  const responses = responsesInput(call);
  if (responses !== null)
    return { url: `${base}/responses`, headers, body: { model, ...renamed(limits), ...responses } };
  const body = { model, ...limits, ...(call.stream ? { stream: true } : {}), messages: toOpenAi(messages) };
  return { url: `${base}/chat/completions`, headers, body };
}

/** What the TypeScript client stores of a call of the Responses API is what was sent. */
function responsesInput({ operation, provider, input }: SentCall): object | null {
  if (provider !== 'openai' || !operation.startsWith('responses')) return null;
  return isObject(input) && input.input !== undefined ? input : { input };
}
const renamed = ({ max_tokens, ...rest }: Params): object => ({
  ...rest,
  ...(max_tokens === undefined ? {} : { max_output_tokens: max_tokens }),
});

type Params = { max_tokens?: number; temperature?: number; top_p?: number };

/** Parameters that the sender kept in metadata, under OpenTelemetry's names or the provider's. */
function paramsOf({ metadata }: SentCall): Params {
  const params: Params = {};
  for (const name of ['max_tokens', 'temperature', 'top_p'] as const) {
    const value = metadata[`gen_ai.request.${name}`] ?? metadata[name];
    if (typeof value === 'number') params[name] = value;
  }
  return params;
}

/** In single quotes nothing is special but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
