import { MAX_TAGS, type Part, TemplateError } from './parse-template.ts';

/** Deepest nesting of includes. */
export const MAX_DEPTH = 8;
/** Most included texts of one prompt, repetitions counted. */
export const MAX_INCLUDES = 200;
/** Most characters of a prompt with everything that it includes. */
export const MAX_EXPANDED = 1_000_000;

/** An included text, and what identifies it: cycles are found by this. */
export type Included = { readonly id: string; readonly parts: readonly Part[] };

/** Finds what an include names. Throws TemplateError if there is no such text. */
export type FindIncluded = (name: string, at: string | null) => Included;

/** An include as it is written in a template. */
export const includeText = (name: string, at: string | null): string =>
  `{{> ${name}${at === null ? '' : `@${at}`}}}`;

type Walk = {
  readonly find: FindIncluded;
  left: number;
  includes: number;
  tags: number;
  readonly path: Step[];
};
type Step = { readonly id: string; readonly text: string };

/**
 * Replaces the includes of a prompt's texts by what they name, whose variables join those of the prompt. Pure and
 * bounded in depth, number and size.
 * @param id identifies the prompt itself, so that an include of it is a cycle
 * @throws TemplateError for a cycle, a missing text and what exceeds a limit; it names the way there
 */
export const expandIncludes = (
  texts: readonly (readonly Part[])[],
  id: string,
  find: FindIncluded,
): Part[][] => {
  const walk: Walk = { find, left: MAX_EXPANDED, includes: 0, tags: 0, path: [{ id, text: 'the prompt' }] };
  return texts.map((parts) => {
    const into: Part[] = [];
    expand(parts, walk, into);
    return into;
  });
};

const expand = (parts: readonly Part[], walk: Walk, into: Part[]): void => {
  for (const part of parts) {
    if (part.kind === 'text') {
      walk.left -= part.text.length;
      if (walk.left < 0)
        throw new TemplateError(
          `The prompt with its includes has more than ${MAX_EXPANDED.toLocaleString('en-US')} characters`,
        );
    } else if (++walk.tags > MAX_TAGS * 5) {
      throw new TemplateError(
        `The prompt with its includes has more than ${(MAX_TAGS * 5).toLocaleString('en-US')} variables`,
      );
    }
    if (part.kind === 'include') include(part, walk, into);
    else into.push(part);
  }
};

const include = ({ name, at }: Extract<Part, { kind: 'include' }>, walk: Walk, into: Part[]): void => {
  const text = includeText(name, at);
  const way = (): string => [...walk.path.slice(1).map((step) => step.text), text].join(' → ');
  if (++walk.includes > MAX_INCLUDES)
    throw new TemplateError(`The prompt includes more than ${MAX_INCLUDES} texts`);
  if (walk.path.length > MAX_DEPTH)
    throw new TemplateError(`Includes are nested deeper than ${MAX_DEPTH} levels: ${way()}`);
  const found = walk.find(name, at);
  if (walk.path.some(({ id }) => id === found.id))
    throw new TemplateError(`Includes form a cycle: ${way()}; remove one of them`);
  walk.path.push({ id: found.id, text });
  expand(found.parts, walk, into);
  walk.path.pop();
};
