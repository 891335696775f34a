/*
 * Own code instead of a library: mustache and Handlebars bound neither depth nor size, Handlebars compiles with eval,
 * which our content policy forbids, and liquidjs is a whole language of ten times this size for the SDK. None of them
 * resolves includes at labels, names the line of a mistake, or writes a template back.
 */

/** Most characters of one template. */
export const MAX_TEMPLATE = 200_000;
/** Most variables and includes that one template may contain, repetitions counted. */
export const MAX_TAGS = 2_000;
const MAX_TAG = 400;

/** A template that cannot be read or filled. The message says what is wrong and how to fix it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A piece of a template. `at` of an include is a label or a version; null stands for `production`. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'include'; readonly name: string; readonly at: string | null };

/** Letters, digits, `_`, `-` and `.`, from a letter or `_`; 1 to 100 characters. */
const VARIABLE = /^[\p{L}_][\p{L}\p{N}_.-]{0,99}$/u;
/** `> name`, `> name@label` or `> name@3`. */
const INCLUDE = /^>\s*([^@{}]{1,200}?)\s*(?:@\s*([A-Za-z0-9][A-Za-z0-9_.-]{0,99})\s*)?$/;
/** `{{'{{'}}` stands for two opening braces. */
const LITERAL = new Set(["'{{'", '"{{"']);
const HOW_TO_ESCAPE = "write {{'{{'}} for two literal braces";

/**
 * Reads a template: text with `{{variable}}`, `{{> other-prompt@label}}` and `{{'{{'}}` for literal braces. Of three and
 * more braces in a row, the last two open, so that `{{{id}}}` is a variable in braces. Takes linear time.
 * @throws TemplateError with the line of the mistake
 */
export const parseTemplate = (template: string): Part[] => {
  if (template.length > MAX_TEMPLATE)
    throw new TemplateError(
      `The template has ${template.length.toLocaleString('en-US')} characters, more than ${MAX_TEMPLATE.toLocaleString('en-US')}`,
    );
  const parts: Part[] = [];
  let from = 0;
  let tags = 0;
  for (;;) {
    let open = template.indexOf('{{', from);
    if (open < 0) break;
    while (template[open + 2] === '{') open++;
    if (++tags > MAX_TAGS)
      throw new TemplateError(`The template has more than ${MAX_TAGS.toLocaleString('en-US')} variables`);
    const close = template.indexOf('}}', open + 2);
    if (close < 0)
      throw new TemplateError(`{{ in line ${lineOf(template, open)} is never closed; ${HOW_TO_ESCAPE}`);
    addText(parts, template.slice(from, open));
    addPart(parts, readTag(template, open, close));
    from = close + 2;
  }
  addText(parts, template.slice(from));
  return parts;
};

/** The text of a template; `parseTemplate` reads the same parts from it. */
export const formatTemplate = (parts: readonly Part[]): string => {
  const joined: Part[] = [];
  for (const part of parts) addPart(joined, part);
  return joined.map(formatPart).join('');
};

const formatPart = (part: Part): string => {
  if (part.kind === 'text') return part.text.replaceAll('{{', "{{'{{'}}");
  if (part.kind === 'variable') return `{{${part.name}}}`;
  return `{{> ${part.name}${part.at === null ? '' : `@${part.at}`}}}`;
};

const readTag = (template: string, open: number, close: number): Part => {
  const source = close - open > MAX_TAG ? '' : template.slice(open + 2, close).trim();
  if (LITERAL.has(source)) return { kind: 'text', text: '{{' };
  const [, name, at] = INCLUDE.exec(source) ?? [];
  if (name !== undefined) return { kind: 'include', name, at: at ?? null };
  if (VARIABLE.test(source)) return { kind: 'variable', name: source };
  const shown = template.slice(open, Math.min(close + 2, open + 40)).replaceAll(/\s+/g, ' ');
  throw new TemplateError(
    `${shown} in line ${lineOf(template, open)} is neither a variable such as {{name}} nor an include such as {{> name@label}}; ${HOW_TO_ESCAPE}`,
  );
};

const addText = (parts: Part[], text: string): void => {
  if (text !== '') addPart(parts, { kind: 'text', text });
};

/** Adjacent texts are one, so that braces of both are seen together. */
const addPart = (parts: Part[], part: Part): void => {
  const last = parts.at(-1);
  if (part.kind === 'text' && last?.kind === 'text')
    parts[parts.length - 1] = { kind: 'text', text: last.text + part.text };
  else parts.push(part);
};

const lineOf = (template: string, place: number): number => {
  let line = 1;
  for (let at = template.indexOf('\n'); at >= 0 && at < place; at = template.indexOf('\n', at + 1)) line++;
  return line;
};
