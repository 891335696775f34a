import { jsonProblem } from '../../../lib/json-limits.ts';
import type { Attributes, AttributeValue } from '../read/attributes.ts';
import { unflatten } from '../read/unflatten.ts';
import { type Message, toMessages } from './to-messages.ts';
import { toToolCalls } from './to-parts.ts';

/** Attributes with the messages of a dialect: one attribute, or several such as `prefix.0.role`, `prefix.0.content`. */
type ContentSource = { readonly attribute: string } | { readonly prefix: string };
const one = (attribute: string): ContentSource => ({ attribute });
const spread = (prefix: string): ContentSource => ({ prefix });

/** Current conventions first, then vendors and older versions; the first that exists wins. */
const INPUT: readonly ContentSource[] = [
  one('gen_ai.input.messages'),
  spread('gen_ai.prompt'),
  spread('llm.input_messages'),
  one('gen_ai.request.messages'),
  one('ai.prompt.messages'),
  one('ai.prompt'),
  one('gen_ai.prompt'),
  one('langfuse.observation.input'),
  one('traceloop.entity.input'),
  one('llm.messages'),
  one('genkit:input'),
  one('mastra.agent_run.input'),
  one('mastra.model_generation.input'),
  one('mastra.model_step.input'),
  one('gen_ai.tool.call.arguments'),
  one('ai.toolCall.args'),
  one('gen_ai.embeddings.input'),
  one('ai.values'),
  one('ai.value'),
  one('input.value'),
  one('input'),
];
const OUTPUT: readonly ContentSource[] = [
  one('gen_ai.output.messages'),
  spread('gen_ai.completion'),
  spread('llm.output_messages'),
  one('gen_ai.response.text'),
  one('ai.response.text'),
  one('ai.response.object'),
  one('gen_ai.completion'),
  one('langfuse.observation.output'),
  one('traceloop.entity.output'),
  one('genkit:output'),
  one('mastra.agent_run.output'),
  one('mastra.model_generation.output'),
  one('mastra.model_step.output'),
  one('gen_ai.tool.call.result'),
  one('ai.toolCall.result'),
  one('output.value'),
  one('output'),
];
const SYSTEM = 'gen_ai.system_instructions';
/** Tool calls that are separate from the answer's text (Vercel AI SDK, Sentry). */
const TOOL_CALLS = ['ai.response.toolCalls', 'gen_ai.response.tool_calls'] as const;

/** Most characters of one attribute to read. */
const MAX_CHARS = 1_000_000;
const LIMITS = { maxDepth: 24, maxKeys: 20_000 };

/** The prompt as a list of messages, from any dialect; null if there is none. */
export function readInput(attributes: Attributes): Message[] | null {
  const system = attributes.get(SYSTEM);
  const messages = readFrom(attributes, INPUT, 'user');
  return system === undefined ? messages : [...readOne(system, 'system'), ...(messages ?? [])];
}

/** The answer as a list of messages; null if there is none. */
export function readOutput(attributes: Attributes): Message[] | null {
  const messages = readFrom(attributes, OUTPUT, 'assistant');
  const calls = TOOL_CALLS.flatMap((name) => toToolCalls(attributes.get(name)));
  if (calls.length === 0) return messages;
  const [only] = messages ?? [];
  if (only?.tool_calls !== undefined) return messages;
  return within(
    [{ role: 'assistant', content: only?.content ?? null, tool_calls: calls }],
    null,
    'assistant',
  );
}

function readFrom(attributes: Attributes, sources: readonly ContentSource[], role: string): Message[] | null {
  for (const source of sources) {
    if ('prefix' in source) {
      const list = unflatten(attributes, source.prefix);
      if (list.length > 0) return within(toMessages(list, role), null, role);
    } else {
      const value = attributes.get(source.attribute);
      if (value !== undefined) return readOne(value, role);
    }
  }
  return null;
}

function readOne(value: AttributeValue, role: string): Message[] {
  if (Array.isArray(value)) return within(toMessages(value.map(parseItem), role), null, role);
  if (typeof value !== 'string') return within(toMessages(value, role), null, role);
  const text = value.slice(0, MAX_CHARS);
  return within(toMessages(value.length > MAX_CHARS ? text : parseJson(text), role), text, role);
}

function parseJson(text: string): unknown {
  try {
    return /^\s*[[{"]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** The Vercel AI SDK sends the texts of an embeddings call as a list of JSON texts. */
const parseItem = (item: AttributeValue): unknown => (typeof item === 'string' ? parseJson(item) : item);

/** Messages that exceed the store's limits are kept as the text that was sent. */
function within(messages: Message[], text: string | null, role: string): Message[] {
  if (jsonProblem(messages, LIMITS) === null) return messages;
  return [{ role, content: text?.toWellFormed() ?? null }];
}
