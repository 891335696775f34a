import { ofErased, textNamesUser } from '../../db/erasure/names-user.ts';
import { listen, type Module } from '../../module.ts';
import { targetsAsked } from '../events/index.ts';
import { readAgreement } from './agreement/read-agreement.ts';
import { contrastScores } from './figures/contrast-scores.ts';
import { readTargets } from './figures/read-targets.ts';
import { readScoreMarks, readScoreSeries } from './figures/score-series.ts';
import { sumScores } from './figures/sum-scores.ts';
import { deleteExpiredScores, findTargetsJob } from './jobs.ts';
import { listScoresRead } from './list-scores.ts';
import { scoreRoutes } from './routes.ts';

/**
 * Scores of traces, spans, sessions and items of experiments, and their definitions. `writeScores` stores scores,
 * idempotent by `scoreId`; `listScores` reads those of a target;
 * `readScoreSeries` adds them up in steps.
 */
export const scoresModule: Module = {
  name: 'scores',
  tables: [
    {
      name: 'scores',
      scope: 'project',
      by: 'project',
      key: ['id'],
      readable: true,
      eraseUser: {
        deleteWhere: ofErased(
          `about_user = erased.user_id OR ${textNamesUser('comment')} OR ${textNamesUser('target_session')}`,
        ),
        receipt: 'scores',
      },
    },
    { name: 'score_definitions', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: scoreRoutes,
  reads: [
    listScoresRead,
    readAgreement,
    sumScores,
    readScoreSeries,
    readScoreMarks,
    readTargets,
    contrastScores,
  ],
  jobs: [findTargetsJob, deleteExpiredScores],
  on: [
    listen(targetsAsked, (ctx, { projects, condition, window, answer }) =>
      answer(ctx.db.read(readTargets, projects, { condition, window }).then((found) => found.parse())),
    ),
  ],
};

export { readAgreement } from './agreement/read-agreement.ts';
export { createDefinition, listDefinitions, scoreTypeOf } from './definitions.ts';
export { ensureDefinition, type WantedDefinition } from './ensure-definition.ts';
export { contrastScores } from './figures/contrast-scores.ts';
export { runDocument } from './figures/run-document.ts';
export {
  readScoreMarks,
  readScoreSeries,
  SCORE_SUMS,
  type ScoreSeriesQuery,
  type ScoreShape,
} from './figures/score-series.ts';
export { toConditions } from './figures/to-conditions.ts';
export { listScores } from './list-scores.ts';
export { writeScores } from './write-scores.ts';
