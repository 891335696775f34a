type Fields = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A piece of text in a chunk of a stream. */
export type Slot = {
  /** Which text of the reply it belongs to. The texts that end together have keys that begin alike. */
  readonly key: string;
  readonly text: string;
  /** Where it stands in its chunk. */
  readonly path: Path;
  /** Arguments of a tool: values are looked for in them, but they are not the text of the reply. */
  readonly isArguments: boolean;
  /** A chunk with nothing but a text of the same kind. */
  alone(text: string): unknown;
};

/** Sound as Base64 comes in pieces of the same form as text. */
const SOUND = /audio\.delta$/;

/** Finds the texts of a chunk of OpenAI's chat, completions, responses and transcriptions, or of Anthropic's messages. */
export function slotsOf(chunk: unknown): Slot[] {
  if (!isObject(chunk)) return [];
  const { choices, type, delta } = chunk;
  if (Array.isArray(choices)) return choices.flatMap((choice, i) => ofChoice(chunk, choice, i));
  if (type === 'content_block_delta' && isObject(delta)) {
    return ['text', 'thinking', 'partial_json'].flatMap((field) => {
      const text = delta[field];
      if (typeof text !== 'string') return [];
      return {
        key: `block ${chunk.index} ${field}`,
        text,
        path: ['delta', field],
        isArguments: field === 'partial_json',
        alone: (other) => withText(chunk, ['delta', field], other),
      };
    });
  }
  if (typeof type !== 'string' || typeof delta !== 'string') return [];
  if (!/^(?:response|transcript)\./.test(type) || SOUND.test(type)) return [];
  return [
    {
      key: `item ${chunk.item_id} ${type} ${chunk.content_index}`,
      text: delta,
      path: ['delta'],
      isArguments: /(?:arguments|input|code)\.delta$/.test(type),
      alone: (other) => ({ ...chunk, delta: other }),
    },
  ];
}

/** The texts of one of several replies: what is said, why it is refused, the reasoning, and arguments of tools. */
function ofChoice(chunk: Fields, choice: unknown, place: number): Slot[] {
  if (!isObject(choice)) return [];
  const { delta, text, index } = choice;
  const only = (fields: Fields): unknown => ({ ...chunk, choices: [{ ...choice, ...fields }] });
  const slot = (name: string, path: Path, own: unknown, alone: (other: string) => Fields): Slot[] =>
    typeof own !== 'string'
      ? []
      : [
          {
            key: `choice ${index} ${name}`,
            text: own,
            path: ['choices', place, ...path],
            isArguments: path.includes('arguments'),
            alone: (other) => only(alone(other)),
          },
        ];
  const slots = slot('text', ['text'], text, (other) => ({ text: other }));
  if (!isObject(delta)) return slots;
  for (const field of ['content', 'refusal', 'reasoning_content', 'reasoning']) {
    slots.push(...slot(field, ['delta', field], delta[field], (other) => ({ delta: { [field]: other } })));
  }
  const { function_call: called, tool_calls: calls } = delta;
  if (isObject(called)) {
    const path = ['delta', 'function_call', 'arguments'];
    const alone = (other: string): Fields => ({ delta: { function_call: { arguments: other } } });
    slots.push(...slot('function', path, called.arguments, alone));
  }
  for (const [i, call] of Array.isArray(calls) ? calls.entries() : []) {
    if (!isObject(call) || !isObject(call.function)) continue;
    const path = ['delta', 'tool_calls', i, 'function', 'arguments'];
    const alone = (other: string): Fields => ({
      delta: { tool_calls: [{ index: call.index, function: { arguments: other } }] },
    });
    slots.push(...slot(`tool ${call.index}`, path, call.function.arguments, alone));
  }
  return slots;
}

/** A copy of a chunk with another text at a place. */
export function withText(chunk: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(chunk)) return chunk.map((one, i) => (i === step ? withText(one, rest, text) : one));
  const fields = chunk as Fields;
  return { ...fields, [step]: withText(fields[step], rest, text) };
}

/** Which texts a chunk ends, by the start of their keys; an empty one is that of all. */
export function endedBy(chunk: unknown): string[] {
  if (!isObject(chunk)) return [];
  const { choices, type, index } = chunk;
  if (Array.isArray(choices)) {
    return choices.flatMap((choice) =>
      isObject(choice) && (choice.finish_reason ?? null) !== null ? [`choice ${choice.index} `] : [],
    );
  }
  if (typeof type !== 'string') return [];
  if (type === 'content_block_stop') return [`block ${index} `];
  if (/^(?:message_delta|message_stop|transcript\..*done)$/.test(type)) return [''];
  if (!/^response\..*(?:done|completed|incomplete|failed)$/.test(type)) return [];
  const id = chunk.item_id ?? (isObject(chunk.item) ? chunk.item.id : undefined);
  return [id === undefined ? '' : `item ${id} `];
}

/**
 * The texts that a chunk has whole: those of OpenAI's last events repeat what came in pieces, and others never come in
 * pieces. What a reply repeats of its request is not among them.
 */
export function wholeTexts(chunk: unknown): Fields | null {
  if (!isObject(chunk) || typeof chunk.type !== 'string') return null;
  const { type, response, ...rest } = chunk;
  if (type === 'content_block_start') return { content_block: chunk.content_block };
  if (!/^(?:response|transcript)\..*(?:done|added|completed|incomplete)$/.test(type)) return null;
  return isObject(response) ? { ...rest, output: response.output } : rest;
}

/** A chunk with other whole texts. */
export function withWholeTexts(chunk: Fields, { output, ...texts }: Fields): Fields {
  const { response } = chunk;
  return isObject(response)
    ? { ...chunk, ...texts, response: { ...response, output } }
    : { ...chunk, ...texts };
}
