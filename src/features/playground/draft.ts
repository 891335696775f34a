import type { ChatMessage, ModelConfig } from '../../core/models/contract.ts';
import type { PromptConfig } from '../../core/prompts/contract.ts';
import { isObject, type Message } from '../../lib/messages/message.ts';
import { messageText } from '../../lib/messages/message-text.ts';
import { partsOf, variablesOf } from '../../lib/prompts/fill-template.ts';
import { readTool } from '../../lib/prompts/read-settings.ts';

/** A message in the editor. Its key stays while it is moved and changed. */
export type DraftMessage = ChatMessage & { readonly key: number };

/** What is common to all columns. */
export type Draft = {
  readonly messages: readonly DraftMessage[];
  readonly variables: Readonly<Record<string, string>>;
  /** JSON as typed; empty for none. */
  readonly tools: string;
  readonly schema: string;
  /** The version of the library that the text is of, while it is not changed. */
  readonly prompt: { readonly name: string; readonly version: number } | null;
};

/** A stored version that a column runs instead of the messages of the editor. */
export type ColumnVersion = {
  readonly name: string;
  readonly version: number;
  /** Those of its includes among them. */
  readonly variables: readonly string[];
  readonly config: PromptConfig;
  /** As in the draft. */
  readonly tools: string;
  readonly schema: string;
};

/** A model and its settings. */
export type Column = {
  readonly key: number;
  /** Null: the messages of the editor. */
  readonly version: ColumnVersion | null;
  readonly model: string;
  readonly temperature: number | '';
  readonly maxOutputTokens: number | '';
};

let lastKey = 0;
export const newKey = (): number => ++lastKey;

export const newColumn = (model: string): Column => ({
  key: newKey(),
  version: null,
  model,
  temperature: '',
  maxOutputTokens: '',
});

export const EMPTY_DRAFT: Draft = {
  messages: [
    { key: newKey(), role: 'system', content: '' },
    { key: newKey(), role: 'user', content: '' },
  ],
  variables: {},
  tools: '',
  schema: '',
  prompt: null,
};

/** Whether nothing was written, chosen or opened yet. Which model is chosen does not count. */
export const isUntouched = (
  { messages, variables, tools, schema, prompt }: Draft,
  columns: readonly Column[],
): boolean =>
  prompt === null &&
  messages.every(({ content, images, toolCalls }) => content === '' && (images ?? toolCalls) === undefined) &&
  [tools, schema, ...Object.values(variables)].every((text) => text === '') &&
  columns.length === 1 &&
  columns.every(
    ({ version, temperature, maxOutputTokens }) =>
      version === null && temperature === '' && maxOutputTokens === '',
  );

/** Names of the variables of the messages, or the mistake in their templates. */
export function variablesIn(messages: readonly ChatMessage[]): { names: string[]; error: string | null } {
  try {
    return { names: variablesOf(partsOf({ messages }).flat()), error: null };
  } catch (error) {
    return { names: [], error: error instanceof Error ? error.message : String(error) };
  }
}

const IMAGE = /^data:image\/(?:png|jpeg|webp|gif);base64,/;

/** Stored messages as the editor has them. Reasoning and files other than stored images of users are left out. */
export function toDraftMessages(messages: readonly Message[]): DraftMessage[] {
  return messages.flatMap((message): DraftMessage[] => {
    const results = message.parts.flatMap((part) =>
      part.kind !== 'result' || part.id === null
        ? []
        : [
            {
              key: newKey(),
              role: 'tool' as const,
              toolCallId: part.id,
              content: messageText({ role: '', parts: part.parts }),
            },
          ],
    );
    const toolCalls = message.parts.flatMap((part) =>
      part.kind === 'call'
        ? [{ id: part.id ?? `call_${newKey()}`, name: part.name, arguments: part.args }]
        : [],
    );
    const said = message.parts.filter(({ kind }) => kind === 'text' || kind === 'refusal' || kind === 'data');
    const role = roleOf(message.role);
    const images = message.parts.flatMap((part) =>
      role === 'user' && part.kind === 'image' && IMAGE.test(part.url ?? '') ? [part.url ?? ''] : [],
    );
    if (said.length + toolCalls.length + images.length === 0) return results;
    const content = messageText({ role, parts: said });
    const calls = role === 'assistant' && toolCalls.length > 0 ? { toolCalls } : {};
    const seen = images.length > 0 ? { images } : {};
    return [...results, { key: newKey(), role, content, ...seen, ...calls }];
  });
}

const roleOf = (role: string): 'system' | 'user' | 'assistant' =>
  role === 'assistant' || role === 'user' ? role : 'system';

/** The request of a column, or what of the draft has to be corrected. */
export function configOf(draft: Draft, column: Column): ModelConfig | { readonly problem: string } {
  const tools = parsed(draft.tools);
  if (tools instanceof Error || (tools !== null && !Array.isArray(tools)))
    return { problem: 'Tools have to be a JSON list of { name, description, parameters }' };
  const schema = parsed(draft.schema);
  if (schema instanceof Error || (schema !== null && !isObject(schema)))
    return { problem: 'The output schema has to be a JSON object' };
  const { temperature, maxOutputTokens } = column;
  return {
    ...(temperature !== '' && { temperature }),
    ...(maxOutputTokens !== '' && { maxOutputTokens }),
    ...(tools !== null && tools.length > 0 && { tools: tools.map(readTool) }),
    ...(schema !== null && { responseFormat: { type: 'json' as const, schema } }),
  };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error : new Error('not JSON');
  }
}
