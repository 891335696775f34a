import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { PromptBody } from '../../../lib/prompts/fill-template.ts';
import type { CompiledPrompt, LabelVersion } from '../contract.ts';
import { DEFAULT_LABEL } from '../input/contract.ts';
import { compileBodies } from './compile-version.ts';
import { contentKey, type LoadedVersion, loadContents, loadPrompts } from './load-versions.ts';

/** What of a prompt is asked for. */
export type PromptPlace = {
  readonly name: string;
  readonly label?: string | undefined;
  readonly version?: number | undefined;
};

/** All versions that a label names, or one version, with their weights. */
export type CompiledVersions = {
  readonly name: string;
  readonly type: CompiledPrompt['type'];
  readonly label: string | null;
  readonly candidates: readonly NonNullable<CompiledPrompt['candidates']>[number][];
};

/**
 * Resolves a prompt with its includes, without choosing among the versions of a split.
 * @throws AppError 404, and 409 for includes that cannot be resolved
 */
export async function compileVersions(
  ctx: Ctx,
  projectId: string,
  { name, label = DEFAULT_LABEL, version }: PromptPlace,
): Promise<CompiledVersions> {
  const prompt = (await loadPrompts(ctx, projectId, [name])).get(name);
  if (prompt === undefined) throw notFound(`There is no prompt ${name}`);
  const split: readonly LabelVersion[] | undefined =
    version === undefined ? prompt.labels.get(label) : [{ version, weight: 1 }];
  if (split === undefined) {
    const known = [...prompt.labels.keys()].slice(0, 10).join(', ');
    throw notFound(`${name} has no label ${label}${known === '' ? '' : `; it has ${known}`}`);
  }
  const contents = await loadContents(
    ctx,
    split.map((one) => ({ promptId: prompt.id, version: one.version })),
  );
  const found = split.flatMap(({ version: number, weight }) => {
    const content = contents.get(contentKey(prompt.id, number));
    return content === undefined ? [] : [{ content, weight }];
  });
  if (found.length === 0) throw notFound(`${name} has no version ${split[0]?.version}`);
  const root = { promptId: prompt.id, projectId, name };
  const compiled = await compileBodies(
    ctx,
    root,
    found.map(({ content }) => toBody(content)),
  );
  return {
    name,
    type: prompt.type,
    label: version === undefined ? label : null,
    candidates: found.map(({ content, weight }, i) => {
      const { body, variables } = compiled[i] ?? { body: { template: '' }, variables: [] };
      return {
        version: content.version,
        weight,
        ...toReplyBody(body),
        config: content.config,
        variables: [...variables],
      };
    }),
  };
}

export const toBody = ({ template, messages }: Pick<LoadedVersion, 'template' | 'messages'>): PromptBody =>
  template === null ? { messages: messages ?? [] } : { template };

type ReplyBody = Pick<CompiledPrompt, 'template' | 'messages'>;

/** What a version says, as replies have it. */
export const toReplyBody = (body: PromptBody): ReplyBody =>
  'template' in body
    ? { template: body.template }
    : { messages: body.messages as NonNullable<ReplyBody['messages']> };
