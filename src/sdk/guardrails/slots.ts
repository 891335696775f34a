type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A piece of text in a chunk of a stream. */
export type Slot = {
  /** Which text of the reply it belongs to. */
  readonly key: string;
  readonly text: string;
  /** The chunk with another text. */
  with(text: string): unknown;
};

/** Finds the text of a chunk of OpenAI's chat and completions, of its responses, or of Anthropic's messages. */
export function slotOf(chunk: unknown): Slot | null {
  if (!isObject(chunk)) return null;
  const { choices, type, delta } = chunk;
  if (Array.isArray(choices)) return ofChoice(chunk, choices[0]);
  if (type === 'content_block_delta' && isObject(delta)) {
    const field = typeof delta.text === 'string' ? 'text' : 'partial_json';
    const text = delta[field];
    if (typeof text !== 'string') return null;
    return {
      key: `block ${chunk.index}`,
      text,
      with: (other) => ({ ...chunk, delta: { ...delta, [field]: other } }),
    };
  }
  if (typeof type !== 'string' || !type.startsWith('response.') || typeof delta !== 'string') return null;
  const key = `${type} ${chunk.item_id} ${chunk.content_index}`;
  return { key, text: delta, with: (other) => ({ ...chunk, delta: other }) };
}

function ofChoice(chunk: Fields, choice: unknown): Slot | null {
  if (!isObject(choice)) return null;
  const { delta, text, index } = choice;
  const key = `choice ${index}`;
  if (isObject(delta) && typeof delta.content === 'string') {
    const { content } = delta;
    return {
      key,
      text: content,
      with: (other) => ({ ...chunk, choices: [{ ...choice, delta: { ...delta, content: other } }] }),
    };
  }
  if (typeof text !== 'string') return null;
  return { key, text, with: (other) => ({ ...chunk, choices: [{ ...choice, text: other }] }) };
}

/** Whether a chunk ends a text that came in pieces. */
export function endsText(chunk: unknown): boolean {
  if (!isObject(chunk)) return false;
  const { choices, type } = chunk;
  if (Array.isArray(choices)) return isObject(choices[0]) && (choices[0].finish_reason ?? null) !== null;
  return (
    typeof type === 'string' &&
    /^(?:content_block_stop|message_delta|message_stop|response\..*(?:done|completed|incomplete|failed))$/.test(
      type,
    )
  );
}

/** Whether a chunk repeats whole texts, as the last events of OpenAI's responses do. */
export const repeatsText = (chunk: unknown): chunk is Fields =>
  isObject(chunk) &&
  typeof chunk.type === 'string' &&
  /^response\..*(?:done|completed|incomplete)$/.test(chunk.type);
