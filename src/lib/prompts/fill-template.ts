import { type Part, parseTemplate, TemplateError } from './parse-template.ts';

/** Most characters of a rendered prompt, all messages together. */
export const MAX_RENDERED = 4_000_000;

/** Values by the name of the variable. Objects and arrays are written as JSON. */
export type VariableValues = Readonly<Record<string, unknown>>;

/** A message of a chat prompt. */
export type PromptMessage = { readonly role: string; readonly content: string };
/** What a prompt says: the text of a text prompt, or the messages of a chat prompt. */
export type PromptBody = { readonly template: string } | { readonly messages: readonly PromptMessage[] };

/** The names of the variables of these parts, each once, in the order of their first use. */
export const variablesOf = (parts: readonly Part[]): string[] => [
  ...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : []))),
];

/** The parts of a prompt's text, or of each of its messages. Throws TemplateError. */
export const partsOf = (body: PromptBody): Part[][] =>
  'template' in body
    ? [parseTemplate(body.template)]
    : body.messages.map(({ content }, i) => {
        try {
          return parseTemplate(content);
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error;
          throw new TemplateError(`Message ${i + 1}: ${error.message}`);
        }
      });

/**
 * Fills the variables of a text without includes. Values are not read as templates. Values that no variable names are
 * ignored, because versions of a prompt may differ in their variables.
 * @throws TemplateError for missing values and for a result of more than `MAX_RENDERED` characters
 */
export function renderPrompt(body: { readonly template: string }, values: VariableValues): string;
export function renderPrompt(
  body: { readonly messages: readonly PromptMessage[] },
  values: VariableValues,
): PromptMessage[];
export function renderPrompt(body: PromptBody, values: VariableValues): string | PromptMessage[];
export function renderPrompt(body: PromptBody, values: VariableValues): string | PromptMessage[] {
  const filled = fillParts(partsOf(body), values);
  if ('template' in body) return filled[0] ?? '';
  return body.messages.map((message, i) => ({ ...message, content: filled[i] ?? '' }));
}

/** Fills the texts of several parsed templates; their sizes count together. Throws TemplateError. */
export const fillParts = (texts: readonly (readonly Part[])[], values: VariableValues): string[] => {
  const known = readValues(texts, values);
  let left = MAX_RENDERED;
  return texts.map((parts) => {
    const pieces: string[] = [];
    for (const part of parts) {
      if (part.kind === 'include')
        throw new TemplateError(
          `{{> ${part.name}}} must be resolved by the server; fetch the compiled prompt`,
        );
      const piece = part.kind === 'text' ? part.text : (known.get(part.name) ?? '');
      left -= piece.length;
      if (left < 0)
        throw new TemplateError(
          `The prompt with its values has more than ${MAX_RENDERED.toLocaleString('en-US')} characters; shorten the values`,
        );
      pieces.push(piece);
    }
    return pieces.join('');
  });
};

/** Each value is converted once, however often it is used. */
const readValues = (texts: readonly (readonly Part[])[], values: VariableValues): Map<string, string> => {
  const known = new Map<string, string>();
  const missing: string[] = [];
  for (const name of new Set(texts.flatMap(variablesOf))) {
    const value = Object.hasOwn(values, name) ? toText(name, values[name]) : null;
    if (value === null) missing.push(name);
    else known.set(name, value);
  }
  if (missing.length === 0) return known;
  const names = missing.slice(0, 10).join(', ');
  const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
  throw new TemplateError(
    `${missing.length === 1 ? 'The variable' : 'The variables'} ${names}${more} ${missing.length === 1 ? 'has' : 'have'} no value; pass ${missing.length === 1 ? 'it' : 'them'}, or an empty string`,
  );
};

const toText = (name: string, value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  try {
    const json = JSON.stringify(value) as string | undefined;
    if (json !== undefined) return json;
  } catch {
    // Circular references and throwing getters are reported like functions.
  }
  throw new TemplateError(`The value of ${name} can't be written as text; pass a string or plain JSON`);
};
