/**
 * The normalised prompt, and its hash.
 *
 * A prompt of any provider is read as a list of messages `{ role, content }`. Plain text becomes a `user` message.
 * Instructions (`system`, `instructions`, the role `developer`) become a leading `system` message. Text is
 * normalised to Unicode NFC with `\n` line ends and trimmed; a single text part becomes plain text. Everything else
 * (images, tool calls, tool results) stays unchanged. The list is serialised as JSON with sorted keys and without
 * `undefined`, encoded as UTF-8, and hashed with SHA-256 (FIPS 180-4) to lower-case hex. The same words therefore
 * have the same hash with every provider and model.
 */
export type Prompt = {
  /** Messages, parts of messages, or text. */
  readonly messages: unknown;
  /** Instructions that are separate from the messages. */
  readonly system?: unknown;
};

type Message = { role: string; content: unknown };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const normalizeText = (text: string): string => text.normalize('NFC').replace(/\r\n?/g, '\n').trim();

/** The text of a text part of any of the providers (`text`, `input_text`, `output_text`). */
const partText = (part: unknown): string | undefined =>
  isObject(part) && /^((in|out)put_)?text$/.test(String(part.type)) && typeof part.text === 'string'
    ? part.text
    : undefined;

const normalizeContent = (content: unknown): unknown => {
  if (typeof content === 'string') return normalizeText(content);
  if (!Array.isArray(content)) return content ?? null;
  const parts = content.map((part: unknown) => {
    const text = typeof part === 'string' ? part : partText(part);
    return text === undefined ? part : normalizeText(text);
  });
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts;
};

const normalizeMessage = (given: unknown): unknown => {
  if (typeof given === 'string') return { role: 'user', content: normalizeText(given) };
  if (!isObject(given) || typeof given.role !== 'string') return given;
  const { role, content, ...rest } = given;
  return { ...rest, role: role === 'developer' ? 'system' : role, content: normalizeContent(content) };
};

const systemMessages = (system: unknown): Message[] =>
  system === undefined || system === null || system === ''
    ? []
    : [{ role: 'system', content: normalizeContent(system) }];

/** JSON with sorted keys; circular references and values that JSON cannot represent become null. */
const canonical = (value: unknown, enclosing: object[] = []): string => {
  if (!isObject(value)) return JSON.stringify(typeof value === 'bigint' ? String(value) : value) ?? 'null';
  if (enclosing.includes(value) || enclosing.length > 100) return 'null';
  if (ArrayBuffer.isView(value)) return `{"bytes":${value.byteLength}}`;
  if (typeof value.toJSON === 'function') return canonical(value.toJSON(), [...enclosing, value]);
  const inside = [...enclosing, value];
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, inside)).join(',')}]`;
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined && typeof value[key] !== 'function')
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], inside)}`);
  return `{${fields.join(',')}}`;
};

/** The text that is hashed. */
export const normalizePrompt = ({ messages, system }: Prompt): string => {
  const list: unknown[] = Array.isArray(messages) ? messages : [messages];
  return canonical([...systemMessages(system), ...list.map(normalizeMessage)]);
};

/** SHA-256 of the normalised prompt in hex; undefined if the runtime has no Web Crypto. */
export const hashPrompt = async (prompt: Prompt): Promise<string | undefined> => {
  const bytes = new TextEncoder().encode(normalizePrompt(prompt));
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', bytes);
  if (digest === undefined) return undefined;
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
