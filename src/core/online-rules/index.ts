import { filterNamesUser, ofErased } from '../../db/erasure/names-user.ts';
import { listen, type Module } from '../../module.ts';
import { onlineRuleActions } from './actions.ts';
import { heldService, holdArrived } from './arrival/held-content.ts';
import { queueTraces } from './arrival/queue-traces.ts';
import { dropRules, rulesChanged, rulesService } from './arrival/rules-of-project.ts';
import { backfillJob } from './backfill/backfill-job.ts';
import { judgeJob } from './judge/judge-job.ts';
import { onlineRuleRoutes } from './routes.ts';

/** Rules that judge new traces by an evaluator: a sample of them, once each, under a monthly cap. */
export const onlineRulesModule: Module = {
  name: 'online-rules',
  tables: [
    {
      name: 'online_rule_items',
      scope: 'project',
      by: 'project',
      key: ['rule_id', 'trace_id'],
      retention: { ends: 'due_at', keptDays: 400 },
    },
    { name: 'online_rule_months', scope: 'project', by: 'project_id', key: ['rule_id', 'month'] },
    {
      name: 'online_rules',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // A rule for the user's calls ends, and what it has judged stays.
      eraseUser: {
        update: "enabled = 0, filter = 'user:erased'",
        where: ofErased(filterNamesUser('filter')),
      },
    },
  ],
  routes: onlineRuleRoutes,
  effects: [queueTraces],
  actions: onlineRuleActions,
  jobs: [backfillJob, judgeJob],
  services: [rulesService, heldService],
  on: [listen(rulesChanged, dropRules), holdArrived],
};

export { type Arrival, arrivalOf } from './arrival/note-arrival.ts';
export { createRule } from './change-rule.ts';
export { listRules } from './queries.ts';
