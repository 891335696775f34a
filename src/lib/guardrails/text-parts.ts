/** A text inside of messages: where it stands, and whose it is. */
export type TextPart = {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** `system`, `user`, `assistant` and the like, where the messages tell it. */
  readonly role: string | null;
};

/** Fields that hold no text of a person or a model. */
const SKIPPED = new Set([
  'role',
  'type',
  'id',
  'name',
  'model',
  'object',
  'status',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'toolCallId',
  'toolName',
  'media_type',
  'mime_type',
  'mimeType',
  'mediaType',
  'detail',
  'signature',
  'encrypted_content',
  'cache_control',
  'finish_reason',
  'stop_reason',
]);
/** Bytes of images, sound and files. */
const BYTES = new Set(['data', 'image_url', 'file_data', 'bytes', 'inlineData', 'inline_data', 'b64_json']);

const MAX_DEPTH = 40;
const MAX_PARTS = 10_000;

/** The text of anything that was given as text or messages; a text alone is one part without a path. */
export function textPartsOf(content: unknown): TextPart[] {
  const parts: TextPart[] = [];
  collect(content, [], null, parts);
  return parts;
}

function collect(value: unknown, path: (string | number)[], role: string | null, parts: TextPart[]): void {
  if (parts.length >= MAX_PARTS || path.length > MAX_DEPTH) {
    throw new RangeError(`the messages have more than ${MAX_PARTS} texts or ${MAX_DEPTH} levels`);
  }
  if (typeof value === 'string') {
    if (value !== '') parts.push({ path: [...path], text: value, role });
    return;
  }
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) collect(one, [...path, i], role, parts);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Readonly<Record<string, unknown>>;
  const own = typeof fields.role === 'string' ? fields.role : role;
  for (const [name, inner] of Object.entries(fields)) {
    if (!SKIPPED.has(name) && !isBytes(name, inner)) collect(inner, [...path, name], own, parts);
  }
}

/** `audio` is bytes, or an object with them and with the words that are said. */
const isBytes = (name: string, value: unknown): boolean =>
  BYTES.has(name) ||
  (name === 'audio' && typeof value === 'string') ||
  (typeof value === 'string' && /^data:[\w/+.-]{1,80};base64,/.test(value));

/** A copy of text or messages in which some parts are replaced; everything else stays as it is. */
export function withTexts<C>(content: C, texts: ReadonlyMap<TextPart, string>): C {
  const byPath = new Map([...texts].map(([{ path }, text]) => [path.join('\n'), text]));
  return replaced(content, '', byPath) as C;
}

function replaced(value: unknown, path: string, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(path) ?? value;
  const below = (step: string | number): string => (path === '' ? String(step) : `${path}\n${step}`);
  if (Array.isArray(value)) return value.map((one, i) => replaced(one, below(i), texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, below(name), texts)]),
  );
}
