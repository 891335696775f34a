import type { ChatMessage, ModelConfig } from './contract.ts';
import type { Reply } from './request-reply.ts';
import { plainUsage } from './usage-in.ts';

type Told = {
  readonly said: { readonly messages: readonly ChatMessage[]; readonly config: ModelConfig };
  readonly latencyMs: number;
  /** Null without a first token. */
  readonly ttftMs: number | null;
  /** False: no text of the messages, the answer or an error, which may quote them. */
  readonly keepsContent: boolean;
};

/** Larger content is left out: an event may have at most 1 MB. */
const MAX_CONTENT = 400_000;

/** Fields of the event that are known after the call. Prompt and answer are stored only if the project stores them. */
export function toEventEnd(
  made: Reply,
  { said, latencyMs, ttftMs, keepsContent }: Told,
): Record<string, unknown> {
  const { reply, failure, attempts } = made;
  const { config } = said;
  const isCut = failure?.mayBeBilled === true;
  const usage = reply.usage === null ? {} : plainUsage(reply.usage);
  const input = said.messages.map(toStored);
  const output = [{ role: 'assistant', content: reply.text, ...callsOf(reply.toolCalls) }];
  const hasOutput = reply.text !== '' || reply.toolCalls.length > 0;
  const metadata = {
    ...(attempts > 1 && { attempts }),
    ...(reply.responseModel !== null && { response_model: reply.responseModel.slice(0, 200) }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...(config.topP !== undefined && { top_p: config.topP }),
    ...(config.maxOutputTokens !== undefined && { max_tokens: config.maxOutputTokens }),
  };
  return {
    status: failure?.status ?? 'success',
    ...(failure !== null && {
      error_code: failure.code,
      ...(keepsContent && { error_message: failure.message }),
    }),
    latency_ms: latencyMs,
    ...(ttftMs !== null && { ttft_ms: ttftMs }),
    ...(reply.finishReason !== null && { finish_reason: reply.finishReason.slice(0, 200) }),
    ...((isCut || reply.usage !== null) && { usage: isCut ? { ...usage, incomplete: true } : usage }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(keepsContent && JSON.stringify(input).length <= MAX_CONTENT && { input }),
    ...(keepsContent && hasOutput && JSON.stringify(output).length <= MAX_CONTENT && { output }),
  };
}

/** Tool calls in the form of OpenAI's chat, which all readers of messages know. */
const callsOf = (calls: ChatMessage['toolCalls'] = []) =>
  calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          id,
          type: 'function',
          function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
        })),
      };

const toStored = ({ role, content, images = [], toolCalls, toolCallId }: ChatMessage) => ({
  role,
  // An image is larger than all else of an event: only its place is kept.
  content: [content, ...images.map((url) => `[image: ${url.slice('data:'.length, url.indexOf(';'))}]`)].join(
    '\n',
  ),
  ...callsOf(toolCalls),
  ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
});
