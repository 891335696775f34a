import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { users } from '../../../core/orgs/table.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { formatInstant } from '../../../lib/time.ts';
import { recommendationDecisions } from '../table.ts';
import type { Recommendation, RecommendationsReply } from './contract.ts';
import { documentsOf } from './documents.ts';
import { findRecommendations } from './list-recommendations.ts';
import { readSaved } from './read-saved.ts';

/** Scope of the events of a project, and whose it is. */
export type OfProject = EventScope & { readonly organizationId: string };

const ORDER = { open: 0, applied: 1, dismissed: 2 } as const;

/** The recommendations of a project with what people decided, and what the applied ones really saved. */
export async function listRecommendations(
  ctx: Ctx,
  scope: OfProject,
  { projectId, now }: { readonly projectId: string; readonly now: number },
): Promise<RecommendationsReply> {
  const [{ recommendations, costUsd, ...found }, rows] = await Promise.all([
    findRecommendations(ctx, scope, now),
    ctx.db.sql
      .select({ row: recommendationDecisions, email: users.email })
      .from(recommendationDecisions)
      .leftJoin(users, eq(users.id, recommendationDecisions.decidedBy))
      .where(eq(recommendationDecisions.projectId, projectId)),
  ]);
  const decided = new Map(rows.map((one) => [one.row.recommendationId, one]));
  const current = new Set(recommendations.map(({ id }) => id));
  const about = { organizationId: scope.organizationId, projectId, costUsd };
  // One that was applied well is found no more; it is listed as it was.
  const past = rows.flatMap(({ row }) => (current.has(row.recommendationId) ? [] : [row.recommendation]));
  const all = await Promise.all(
    [...recommendations, ...past].map(async (one): Promise<Recommendation> => {
      const { row, email } = decided.get(one.id) ?? { row: null, email: null };
      const documents = documentsOf(one, about);
      if (row === null) return { ...one, documents, state: 'open', decision: null, saved: null };
      const at = row.decidedAt.getTime();
      return {
        ...one,
        documents,
        state: row.state,
        decision: {
          at: formatInstant(at),
          by: email,
          reason: row.reason,
          as: row.appliedAs,
          monthlyUsd: row.recommendation.monthlyUsd,
        },
        saved:
          row.state === 'applied'
            ? await readSaved(ctx, scope, { tracked: row.recommendation.tracked, at, now })
            : null,
      };
    }),
  );
  return { ...found, recommendations: all.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]) };
}
