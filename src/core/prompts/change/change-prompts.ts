import { type Ctx, defineEvent } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { notificationsWritten } from '../../deliveries/index.ts';
import { planOf } from '../../orgs/index.ts';
import { PLANS } from '../../plans/index.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import { toBody } from '../compile/compile-prompt.ts';
import { compileBodies } from '../compile/compile-version.ts';
import { loadContents, loadPrompts } from '../compile/load-versions.ts';
import type { LabelVersion, NewPrompt, NewVersion, PromptChange } from '../contract.ts';
import { LATEST } from '../input/contract.ts';
import { changePromptsOp, type PromptStep, type PromptsOutcome } from './change-op.ts';
import { bodyOf, toContent } from './to-content.ts';

/** The prompts of a project changed, in this process. The payload is its id. */
export const promptsChanged = defineEvent<string>('prompts.changed', 'all');

/** Who changes the prompts of a project. `isAdmin`: also protected labels. */
export type PromptEditor = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  /** Id of the author, and their name for people. */
  readonly by: string;
  readonly byName: string;
  readonly isAdmin: boolean;
};

/** Does several steps in one transaction. Throws AppError 403, 404, 409. */
export async function changePrompts(
  ctx: Ctx,
  { scope, actor, by, byName, isAdmin }: PromptEditor,
  steps: readonly PromptStep[],
): Promise<PromptsOutcome> {
  const { organizationId, projectId } = scope;
  const { prompts, promptBytes } = PLANS[await planOf(ctx, organizationId)];
  const change = {
    now: ctx.now(),
    actor,
    by,
    byName,
    isAdmin,
    organizationId,
    projectId,
    limits: { prompts, bytes: promptBytes },
    steps,
  };
  try {
    return await ctx.db.writer.write(changePromptsOp, change);
  } finally {
    // Also after a failure, which does not always say whether the change was made.
    ctx.emit(promptsChanged, projectId);
    ctx.emit(notificationsWritten);
  }
}

/** Creates a prompt with its first version. Throws AppError 403, 409. */
export async function createPrompt(ctx: Ctx, by: PromptEditor, input: NewPrompt): Promise<void> {
  const { name, description, tags, labels, ...version } = input;
  const type = version.template === undefined ? 'chat' : 'text';
  checkLabels(labels);
  await checkIncludes(ctx, by, name, version);
  await changePrompts(ctx, by, [
    { kind: 'create', name, type, description, tags },
    { kind: 'version', name, type, content: toContent(version), labels },
  ]);
}

/** Adds a version. Returns its number. Throws AppError 403, 404, 409. */
export async function createVersion(
  ctx: Ctx,
  by: PromptEditor,
  { name, version: { labels, ...version } }: { readonly name: string; readonly version: NewVersion },
): Promise<number> {
  const type = version.template === undefined ? 'chat' : 'text';
  checkLabels(labels);
  await checkIncludes(ctx, by, name, version);
  const outcome = await changePrompts(ctx, by, [
    { kind: 'version', name, type, content: toContent(version), labels },
  ]);
  if (outcome.version === null) throw new Error('a version has a number');
  return outcome.version;
}

/** Replaces the description and the tags. Throws AppError 404. */
export async function changePrompt(
  ctx: Ctx,
  by: PromptEditor,
  { name, ...change }: PromptChange & { readonly name: string },
): Promise<void> {
  await changePrompts(ctx, by, [{ kind: 'change', name, ...change }]);
}

type LabelMove = {
  readonly name: string;
  readonly label: string;
  readonly versions: readonly LabelVersion[] | null;
};

/** Points a label at versions, or removes it. Throws AppError 400, 403, 404, 409. */
export async function setLabel(
  ctx: Ctx,
  by: PromptEditor,
  { name, label, versions }: LabelMove,
): Promise<void> {
  checkLabels([label]);
  if (versions !== null) await checkLabelled(ctx, by, { name, versions });
  await changePrompts(ctx, by, [{ kind: 'label', name, label, versions }]);
}

/** Deletes a version that no label names. Throws AppError 404, 409. */
export async function deleteVersion(
  ctx: Ctx,
  by: PromptEditor,
  { name, version }: { readonly name: string; readonly version: number },
): Promise<void> {
  await changePrompts(ctx, by, [{ kind: 'deleteVersion', name, version }]);
}

/** Deletes a prompt. `confirm` must be its name. Throws AppError 400, 403, 404, 409. */
export async function deletePrompt(
  ctx: Ctx,
  by: PromptEditor,
  { name, confirm }: { readonly name: string; readonly confirm: string },
): Promise<void> {
  if (confirm.normalize('NFC') !== name) throw badRequest(`confirm: must be the name of the prompt, ${name}`);
  await changePrompts(ctx, by, [{ kind: 'delete', name }]);
}

function checkLabels(labels: readonly string[]): void {
  if (labels.includes(LATEST))
    throw badRequest(`label: ${LATEST} is always the newest version; use another label`);
}

/** Refuses a version whose includes cannot be resolved, so that its author sees it and not its readers. */
async function checkIncludes(
  ctx: Ctx,
  { scope: { projectId } }: PromptEditor,
  name: string,
  version: Pick<NewVersion, 'template' | 'messages'>,
): Promise<void> {
  const known = (await loadPrompts(ctx, projectId, [name])).get(name);
  await compileBodies(ctx, { promptId: known?.id ?? '', projectId, name }, [bodyOf(version)]);
}

/** Refuses a label whose version would include itself through others. */
async function checkLabelled(
  ctx: Ctx,
  { scope: { projectId } }: PromptEditor,
  { name, versions }: { readonly name: string; readonly versions: readonly LabelVersion[] },
): Promise<void> {
  const prompt = (await loadPrompts(ctx, projectId, [name])).get(name);
  if (prompt === undefined) return;
  const wanted = versions.map(({ version }) => ({ promptId: prompt.id, version }));
  const contents = await loadContents(ctx, wanted);
  await compileBodies(ctx, { promptId: prompt.id, projectId, name }, [...contents.values()].map(toBody));
}
