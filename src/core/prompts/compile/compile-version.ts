import type { Ctx } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import {
  expandIncludes,
  type FindIncluded,
  type Included,
  includeText,
  MAX_DEPTH,
  MAX_INCLUDES,
} from '../../../lib/prompts/expand-includes.ts';
import { type PromptBody, partsOf, variablesOf } from '../../../lib/prompts/fill-template.ts';
import {
  formatTemplate,
  type Part,
  parseTemplate,
  TemplateError,
} from '../../../lib/prompts/parse-template.ts';
import { contentKey, type LoadedPrompt, loadContents, loadPrompts, versionAt } from './load-versions.ts';

/** A prompt's text with its includes resolved, and the variables to fill. */
export type Compiled = { readonly body: PromptBody; readonly variables: readonly string[] };

type Root = { readonly promptId: string; readonly projectId: string; readonly name: string };

/**
 * Resolves the includes of several bodies of one prompt.
 * @throws AppError 409 that names the include which is missing, a cycle or too large
 */
export async function compileBodies(
  ctx: Ctx,
  { promptId, projectId, name }: Root,
  bodies: readonly PromptBody[],
): Promise<Compiled[]> {
  try {
    const parsed = bodies.map(partsOf);
    const find = await loadIncluded(ctx, projectId, parsed.flat(2));
    return bodies.map((body, i) => {
      const texts = expandIncludes(parsed[i] ?? [], promptId, find);
      return { body: withTexts(body, texts.map(formatTemplate)), variables: variablesOf(texts.flat()) };
    });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw conflict(`${name}: ${error.message}`);
  }
}

const withTexts = (body: PromptBody, texts: readonly string[]): PromptBody =>
  'template' in body
    ? { template: texts[0] ?? '' }
    : { messages: body.messages.map((message, i) => ({ ...message, content: texts[i] ?? '' })) };

const includesOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'include' ? [part] : []));

/** Reads everything that these parts include, level by level, so that resolving needs no further reads. */
async function loadIncluded(ctx: Ctx, projectId: string, parts: readonly Part[]): Promise<FindIncluded> {
  const prompts = new Map<string, LoadedPrompt>();
  const texts = new Map<string, Included | TemplateError>();
  let level = includesOf(parts);
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0 && texts.size <= MAX_INCLUDES; depth++) {
    const names = [...new Set(level.map(({ name }) => name))].filter((name) => !prompts.has(name));
    for (const [name, prompt] of await loadPrompts(ctx, projectId, names.slice(0, MAX_INCLUDES + 1)))
      prompts.set(name, prompt);
    const fresh = await readTexts(
      ctx,
      prompts,
      level.filter(({ name, at }) => !texts.has(includeText(name, at))),
    );
    for (const [text, included] of fresh) texts.set(text, included);
    level = [...fresh.values()].flatMap((one) => (one instanceof TemplateError ? [] : includesOf(one.parts)));
  }
  return (name, at) => {
    const found = texts.get(includeText(name, at));
    if (found instanceof TemplateError) throw found;
    // Those beyond the limits were not read.
    if (found === undefined) throw new TemplateError(`The prompt includes more than ${MAX_INCLUDES} texts`);
    return found;
  };
}

type Wanted = { readonly name: string; readonly at: string | null };

async function readTexts(
  ctx: Ctx,
  prompts: ReadonlyMap<string, LoadedPrompt>,
  wanted: readonly Wanted[],
): Promise<Map<string, Included | TemplateError>> {
  const placed = wanted.slice(0, MAX_INCLUDES + 1).map(({ name, at }) => {
    const prompt = prompts.get(name);
    return { name, at, prompt, version: prompt === undefined ? null : versionAt(prompt, at) };
  });
  const contents = await loadContents(
    ctx,
    placed.flatMap(({ prompt, version }) =>
      prompt === undefined || version === null ? [] : [{ promptId: prompt.id, version }],
    ),
  );
  return new Map(
    placed.map(({ name, at, prompt, version }): [string, Included | TemplateError] => {
      const text = includeText(name, at);
      if (prompt === undefined) return [text, new TemplateError(`${text}: there is no prompt ${name}`)];
      const content = contents.get(contentKey(prompt.id, version ?? 0));
      if (content === undefined)
        return [
          text,
          new TemplateError(
            `${text}: ${name} has no ${version === null ? `label ${at ?? 'production'}` : `version ${version}`}`,
          ),
        ];
      if (content.template === null)
        return [
          text,
          new TemplateError(`${text}: ${name} is a chat prompt; only text prompts can be included`),
        ];
      return [text, { id: prompt.id, parts: parseTemplate(content.template) }];
    }),
  );
}
