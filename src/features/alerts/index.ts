import { listService } from '../../context.ts';
import { filterNamesUser, ofErased, tagNamesUser } from '../../db/erasure/names-user.ts';
import type { Module } from '../../module.ts';
import { alertActions } from './actions.ts';
import { evaluatorService } from './evaluate/evaluator-service.ts';
import { evaluateAlerts } from './evaluate/jobs.ts';
import { judgeWork } from './evaluate/judge-work.ts';
import { settleOp } from './evaluate/settle-op.ts';
import { previewShare } from './preview/preview-alert.ts';
import { previewWork } from './preview/preview-work.ts';
import { alertRoutes } from './routes.ts';
import { noticeUnpriced } from './unpriced/notice-unpriced.ts';

/** Rules that watch a project's figures, their states, and who is told of them. */
export const alertsModule: Module = {
  name: 'alerts',
  tables: [
    {
      name: 'alert_groups',
      scope: 'project',
      by: 'project_id',
      key: ['alert_id', 'group_key'],
      eraseUser: { deleteWhere: 'user_id = ?' },
    },
    {
      name: 'alert_history',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      retention: { ends: 'recorded_at', keptDays: 90 },
      eraseUser: { deleteWhere: 'user_id = ?' },
    },
    {
      name: 'silences',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      retention: { ends: 'until', keptDays: 30 },
      eraseUser: { deleteWhere: 'group_key = ?' },
    },
    {
      name: 'alert_figures',
      scope: 'project',
      by: 'project_id',
      key: ['project_id'],
      // The next evaluation writes them again.
      eraseUser: { deleteWhere: 'EXISTS (SELECT 1 FROM json_each(figures) WHERE value ->> 1 = ?)' },
    },
    { name: 'alert_progress', scope: 'project', by: 'project_id', key: ['project_id'] },
    {
      name: 'alerts',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // A rule that asks for the user, or for a tag with the user's id.
      eraseUser: {
        deleteWhere: ofErased(
          `rule ->> '$.filters.userId' = erased.user_id OR ${tagNamesUser("rule ->> '$.filters.tag'")}
            OR ${filterNamesUser("rule ->> '$.filters.filter'")}`,
        ),
        receipt: 'alerts',
      },
    },
    {
      name: 'unpriced_notices',
      scope: 'organization',
      by: 'organization_id',
      key: ['organization_id', 'model'],
    },
  ],
  routes: alertRoutes,
  actions: alertActions,
  writes: [settleOp],
  works: [judgeWork, previewWork],
  services: [listService(evaluatorService), previewShare],
  jobs: [evaluateAlerts, noticeUnpriced],
};

export { createAlertAction } from './actions.ts';
export { ruleOf } from './change/save-alert.ts';
export { alertLeftOutText, figureText, leftOutText } from './notify/texts.ts';
export { STARTER_RULES } from './pages/starter-rules.ts';
export { previewAlert } from './preview/preview-alert.ts';
export { findAlert, listAlerts } from './queries.ts';
export { listSilences } from './silences/change-silences.ts';
export { listHistory, readAlertDetail } from './states/queries.ts';
