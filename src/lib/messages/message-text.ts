import type { Message, Part } from './message.ts';

/** JSON with indents; a text as it is. */
export const prettyJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');

const partText = (part: Part): string => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'reasoning':
      return part.text === null ? '(encrypted reasoning)' : `(reasoning) ${part.text}`;
    case 'image':
    case 'file':
      return `(${part.kind}: ${part.url?.startsWith('data:') === false ? part.url : (part.name ?? 'attached')})`;
    case 'call':
      return `${part.name}(${typeof part.args === 'string' ? part.args : JSON.stringify(part.args)})`;
    case 'result':
      return `${part.name ?? part.id ?? 'tool'} → ${part.parts.map(partText).join('\n')}`;
    case 'data':
      return prettyJson(part.value);
  }
};

/** What a message says, as text. */
export const messageText = ({ parts }: Message): string => parts.map(partText).join('\n');

/** Messages as text to be read elsewhere: the role, then what was said. */
export const conversationText = (messages: readonly Message[]): string =>
  messages.map((message) => `${message.role}:\n${messageText(message)}`).join('\n\n');
