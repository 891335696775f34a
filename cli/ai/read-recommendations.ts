import type { Recommendation, RecommendationsReply } from '../../src/features/ai/recommendations/contract.ts';
import type { BaseContext } from '../command.ts';
import { type KnownProject, readOfProject } from '../project.ts';
import { EXIT, UserError } from '../user-error.ts';

type Found = { readonly project: KnownProject } & Pick<
  RecommendationsReply,
  'recommendations' | 'deletedBefore'
>;

/** The recommendations of the given project, or of the only one. Throws what `chooseProject` throws. */
export const readRecommendations = (ctx: BaseContext, given: string | undefined): Promise<Found> =>
  readOfProject<Found>(ctx, given, {
    file: async (app, scope, project) => {
      const { listRecommendations } = await import('../../src/features/ai/index.ts');
      const about = { projectId: project.id, now: Date.now() };
      return { project, ...(await listRecommendations(app, scope, about)) };
    },
    server: async (server, project) => {
      const { recommendationsEndpoint } = await import('../../src/features/ai/recommendations/contract.ts');
      const reply = await server.get(recommendationsEndpoint, { query: { projectId: project.id } });
      return { project, ...reply };
    },
  });

/**
 * The recommendation with this id.
 * @throws {UserError} `not_found` (3)
 */
export const readRecommendation = async (
  ctx: BaseContext,
  given: string | undefined,
  id: string,
): Promise<{ readonly project: KnownProject; readonly recommendation: Recommendation }> => {
  const { project, recommendations } = await readRecommendations(ctx, given);
  const recommendation = recommendations.find((one) => one.id === id);
  if (recommendation !== undefined) return { project, recommendation };
  throw new UserError({
    what: `${project.name} has no recommendation ${id}`,
    fix: 'Copy an id from `spanledger recommendations list`; one is gone when its calls are older than 30 days',
    code: 'not_found',
    exit: EXIT.notFound,
  });
};
