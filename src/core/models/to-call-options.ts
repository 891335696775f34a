import type {
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { badRequest } from '../../errors.ts';
import { type ChatMessage, DEFAULT_OUTPUT_TOKENS, type ModelConfig } from './contract.ts';

/**
 * A request in the form of the providers' libraries.
 * @throws AppError 400 if a message cannot follow those before it
 */
export function toCallOptions(
  messages: readonly ChatMessage[],
  config: ModelConfig,
): LanguageModelV4CallOptions {
  const { temperature, topP, stop, seed, reasoning, tools, responseFormat } = config;
  return {
    prompt: toPrompt(messages),
    maxOutputTokens: config.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop !== undefined && stop.length > 0 && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && { reasoning }),
    ...(tools !== undefined &&
      tools.length > 0 && { tools: tools.map(toTool), toolChoice: toChoice(config) }),
    ...(responseFormat?.type === 'json' && { responseFormat: toFormat(responseFormat) }),
  };
}

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number];
type Format = NonNullable<LanguageModelV4CallOptions['responseFormat']>;

const toTool = ({ name, description, parameters }: NonNullable<ModelConfig['tools']>[number]): Tool => ({
  type: 'function',
  name,
  ...(description !== undefined && { description }),
  inputSchema: parameters,
});

function toChoice({
  toolChoice = 'auto',
}: ModelConfig): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  return typeof toolChoice === 'string' ? { type: toolChoice } : { type: 'tool', toolName: toolChoice.tool };
}

const toFormat = ({ schema, name }: Extract<ModelConfig['responseFormat'], { type: 'json' }>): Format => ({
  type: 'json',
  ...(schema !== undefined && { schema }),
  ...(name !== undefined && { name }),
});

function toPrompt(messages: readonly ChatMessage[]): LanguageModelV4Message[] {
  const names = new Map<string, string>();
  return messages.map((message, place) => {
    const problem = problemOf(message, names);
    if (problem !== null) throw badRequest(`messages.${place}: ${problem}`);
    for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
    return toMessage(message, names);
  });
}

function problemOf(
  { role, images, toolCalls, toolCallId }: ChatMessage,
  names: ReadonlyMap<string, string>,
): string | null {
  if (role !== 'user' && images !== undefined) return 'only a message of the user has images';
  if (role !== 'assistant' && toolCalls !== undefined) return 'only a message of the assistant has toolCalls';
  if (role !== 'tool') return toolCallId === undefined ? null : 'only the result of a tool has a toolCallId';
  if (toolCallId === undefined) return 'the result of a tool needs a toolCallId';
  return names.has(toolCallId) ? null : 'no message before it has a tool call with this toolCallId';
}

function toMessage(message: ChatMessage, names: ReadonlyMap<string, string>): LanguageModelV4Message {
  const { role, content, images = [], toolCalls = [], toolCallId = '' } = message;
  switch (role) {
    case 'system':
      return { role, content };
    case 'user':
      return {
        role,
        content: [
          ...(content === '' && images.length > 0 ? [] : [{ type: 'text' as const, text: content }]),
          ...images.map(toFile),
        ],
      };
    case 'assistant':
      return {
        role,
        content: [
          ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
          ...toolCalls.map((call) => ({
            type: 'tool-call' as const,
            toolCallId: call.id,
            toolName: call.name,
            input: call.arguments as JSONValue,
          })),
        ],
      };
    case 'tool': {
      const toolName = names.get(toolCallId) ?? '';
      return {
        role,
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: content } }],
      };
    }
  }
}

/** @param url of the form that `chatMessageSchema` checks: `data:<type>;base64,<data>` */
function toFile(url: string): LanguageModelV4FilePart {
  const [head = '', data = ''] = url.split(',', 2);
  return {
    type: 'file',
    mediaType: head.slice('data:'.length, -';base64'.length),
    data: { type: 'data', data },
  };
}
