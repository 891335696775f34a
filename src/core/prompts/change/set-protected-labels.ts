import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../audit/index.ts';
import { promptSettingsSubject } from '../subject.ts';
import { promptSettings } from '../table.ts';
import type { PromptEditor } from './change-prompts.ts';

/** Replaces the labels of a project that only admins change. */
export async function setProtectedLabels(
  ctx: Ctx,
  { scope, actor }: Pick<PromptEditor, 'scope' | 'actor'>,
  labels: readonly string[],
): Promise<void> {
  const { organizationId, projectId } = scope;
  const protectedLabels = [...new Set(labels)].sort();
  const statement = ctx.db.sql
    .insert(promptSettings)
    .values({ projectId, protectedLabels })
    .onConflictDoUpdate({ target: promptSettings.projectId, set: { protectedLabels } });
  const subject = { of: promptSettingsSubject, id: projectId };
  await commitChange(ctx, actor, {
    statements: [statement],
    audit: [{ action: 'prompt_settings.updated', organizationId, projectId, subject }],
  });
}
