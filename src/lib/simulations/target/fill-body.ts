import type { Message } from '../conversation/run-conversation.ts';
import type { Target } from '../definition.ts';
import { toOpenAi } from './openai-messages.ts';

/** A message and the id of its conversation, which stays the same from turn to turn. */
export type Sent = Message & { readonly conversationId: string };

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;
const DEFAULT_BODY = {
  message: '{{message}}',
  messages: '{{messages}}',
  conversationId: '{{conversationId}}',
};

/** The variables of a body. */
const variablesOf = ({ message, messages, conversationId, turn, scenario, seed }: Sent) => ({
  message,
  messages: toOpenAi(messages),
  conversationId,
  turn,
  scenario,
  seed,
});

/** The JSON body of a request. A text that is only a variable becomes its value; inside of a text it becomes text. */
export function bodyOf(target: Extract<Target, { readonly url: string }>, sent: Sent): unknown {
  if (target.kind === 'http') return fill(target.body ?? DEFAULT_BODY, variablesOf(sent));
  const { model, system, tools, params = {}, stream = false } = target;
  const first = system === undefined ? [] : [{ role: 'system', content: system }];
  return {
    ...params,
    model,
    messages: [...first, ...toOpenAi(sent.messages)],
    ...(tools !== undefined && { tools }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

type Variables = Readonly<Record<string, unknown>>;

function fill(template: unknown, variables: Variables): unknown {
  if (typeof template === 'string') return fillText(template, variables);
  if (Array.isArray(template)) return template.map((one) => fill(one, variables));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, variables)]));
}

function fillText(text: string, variables: Variables): unknown {
  const [whole, name = ''] = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/.exec(text) ?? [];
  if (whole !== undefined && name in variables) return variables[name];
  return text.replaceAll(VARIABLE, (given, known: string) => {
    const value = variables[known];
    if (value === undefined) return given;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}
