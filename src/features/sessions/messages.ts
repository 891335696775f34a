/** Who says what, as one text. */
export type Utterance = { readonly role: string; readonly text: string };

type JsonObject = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members under which requests and answers of providers hold their messages. */
const HOLDERS = ['messages', 'choices', 'input', 'output', 'prompt'] as const;
/** Deeper than any provider nests; what is below is shown as JSON. */
const MAX_DEPTH = 6;

/**
 * The last thing said in what is stored of a call: of its input the question, of its output the answer.
 * Messages as OpenTelemetry, OpenAI and Anthropic have them are read; anything else is shown as JSON.
 * @param role whose it is where the value does not say
 * @returns null where nothing is stored
 */
export function lastUtterance(value: unknown, role: string, depth = MAX_DEPTH): Utterance | null {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value)) {
    if (value.every((item) => textOfPart(item) !== null)) return { role, text: textOf(value) };
    return lastUtterance(value.at(-1), role, depth - 1);
  }
  if (!isObject(value) || depth <= 0) return { role, text: textOf(value) };
  const message = isObject(value.message) ? value.message : value;
  const said = message.content ?? message.parts;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const speaker = typeof message.role === 'string' ? message.role : role;
  if (said !== undefined || calls.length > 0) {
    const text = [said === undefined || said === null ? '' : textOf(said), ...calls.map(callText)];
    return { role: speaker, text: text.filter((part) => part !== '').join('\n') };
  }
  const holder = HOLDERS.find((name) => message[name] !== undefined && message[name] !== null);
  return holder === undefined
    ? { role: speaker, text: textOf(value) }
    : lastUtterance(message[holder], role, depth - 1);
}

/** Text and parts that are text as text, the rest as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((part) => textOfPart(part) ?? JSON.stringify(part)).join('\n');
  return JSON.stringify(value);
}

/** What is written in a part of a message; null for what is none. */
function textOfPart(part: unknown): string | null {
  if (typeof part === 'string') return part;
  if (!isObject(part) || 'role' in part) return null;
  const text = part.text ?? (typeof part.type === 'string' ? part.content : undefined);
  if (typeof text === 'string') return text;
  return typeof part.name === 'string' ? callText(part) : null;
}

/** `look_up({"id":4})` for a call of a tool, in the shapes of OpenAI, Anthropic and OpenTelemetry. */
function callText(given: unknown): string {
  const call = isObject(given) && isObject(given.function) ? given.function : given;
  if (!isObject(call) || typeof call.name !== 'string') return JSON.stringify(given);
  const args = call.arguments ?? call.input ?? '';
  return `${call.name}(${typeof args === 'string' ? args : JSON.stringify(args)})`;
}
