import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange } from '../audit/index.ts';
import type { SavedView } from './contract.ts';
import { findView } from './queries.ts';
import type { ViewEditor } from './save-view.ts';
import { savedViewSubject } from './subject.ts';
import { defaultViews } from './table.ts';

type Wish = { readonly id: string; readonly isDefault: boolean };

/** Has a page open with a view for a person, or no more. Throws AppError 404 for a view that they do not see. */
export async function setDefaultView(
  ctx: Ctx,
  { scope, userId, actor }: Pick<ViewEditor, 'scope' | 'userId' | 'actor'>,
  { id, isDefault }: Wish,
): Promise<SavedView> {
  const { projectId, organizationId } = scope;
  const { page } = await findView(ctx, { projectId, userId }, id);
  const statement = isDefault
    ? ctx.db.sql
        .insert(defaultViews)
        .values({ projectId, userId, page, viewId: id })
        .onConflictDoUpdate({
          target: [defaultViews.projectId, defaultViews.userId, defaultViews.page],
          set: { viewId: id },
        })
    : ctx.db.sql
        .delete(defaultViews)
        .where(and(eq(defaultViews.viewId, id), eq(defaultViews.userId, userId)));
  await commitChange(ctx, actor, {
    statements: [statement],
    audit: [
      {
        action: 'saved_view.default_changed',
        organizationId,
        projectId,
        subject: { of: savedViewSubject, id },
      },
    ],
  });
  return findView(ctx, { projectId, userId }, id);
}
