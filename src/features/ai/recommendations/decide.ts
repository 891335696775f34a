import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange, defineSubject } from '../../../core/audit/index.ts';
import { ofProject, type ProjectScope } from '../../../core/tenancy/index.ts';
import { conflict, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { recommendationDecisions } from '../table.ts';
import type { Recommendation } from './contract.ts';
import { findRecommendations } from './list-recommendations.ts';

/** What the audit log shows of a decision. */
const decisionSubject = defineSubject(
  'recommendation',
  recommendationDecisions,
  ['kind', 'state', 'appliedAs', 'reason'],
  ['projectId', 'recommendationId'],
);

/** Who decides about the recommendations of a project. */
export type Decider = {
  readonly scope: ProjectScope;
  /** Null for the operator, who has no account. */
  readonly userId: string | null;
  readonly actor: Actor;
};
export type Decision =
  | { readonly state: 'dismissed'; readonly reason: string }
  | { readonly state: 'applied'; readonly as: 'change' | 'alert' | 'budget' };
type Decided = { readonly id: string; readonly state: Recommendation['state'] };

const isOf = (projectId: string, id: string) =>
  and(eq(recommendationDecisions.projectId, projectId), eq(recommendationDecisions.recommendationId, id));

/** Dismisses or applies a recommendation. @throws AppError 404 for one that there is not */
export async function decide(ctx: Ctx, by: Decider, id: string, decision: Decision): Promise<Decided> {
  const { projectId, organizationId } = by.scope;
  const now = ctx.now();
  const [kept] = await ctx.db.sql.select().from(recommendationDecisions).where(isOf(projectId, id));
  const { recommendations } = await findRecommendations(ctx, ofProject(by.scope), now);
  const recommendation = recommendations.find((one) => one.id === id) ?? kept?.recommendation;
  if (recommendation === undefined)
    throw notFound('There is no such recommendation any more; GET /v1/ai/recommendations lists them');
  const values = {
    state: decision.state,
    kind: recommendation.kind,
    appliedAs: decision.state === 'applied' ? decision.as : null,
    reason: decision.state === 'dismissed' ? decision.reason : null,
    recommendation,
    decidedBy: by.userId ?? 'operator',
    decidedAt: new Date(now),
  };
  const { statements, action } = {
    statements: [
      ctx.db.sql
        .insert(recommendationDecisions)
        .values({ organizationId, projectId, recommendationId: id, ...values })
        .onConflictDoUpdate({
          target: [recommendationDecisions.projectId, recommendationDecisions.recommendationId],
          set: values,
        }),
    ],
    action: `copilot.recommendation_${decision.state}`,
  };
  await commitChange(ctx, by.actor, { statements, audit: [noteOf(by, id, action)] });
  return { id, state: decision.state };
}

/** Forgets a decision. @throws AppError 404 without one */
export async function reopen(ctx: Ctx, by: Decider, id: string): Promise<Decided> {
  const statement = ctx.db.sql.delete(recommendationDecisions).where(isOf(by.scope.projectId, id));
  const [changed = 0] = await commitChange(ctx, by.actor, {
    statements: [statement],
    audit: [noteOf(by, id, 'copilot.recommendation_reopened')],
  });
  if (changed === 0) throw conflict('The recommendation is open');
  return { id, state: 'open' };
}

const noteOf = ({ scope }: Decider, id: string, action: string) => ({
  action,
  organizationId: scope.organizationId,
  projectId: scope.projectId,
  subject: { of: decisionSubject, id: [scope.projectId, id] },
});
