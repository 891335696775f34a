import { listService } from '../../context.ts';
import { listen, type Module } from '../../module.ts';
import { guardrailActions } from './actions.ts';
import { guardrailsChanged } from './change-guardrails.ts';
import { checkWork, largeChecks } from './checking/check-work.ts';
import { compiledServices, dropCompiled } from './checking/compiled.ts';
import { countOutcomes } from './counts/count-outcomes.ts';
import { countsRead } from './counts/read-counts.ts';
import { guardrailRoutes } from './routes.ts';

/** Guardrails of a project: checks of texts that go to models and come from them, of which no text is kept. */
export const guardrailsModule: Module = {
  name: 'guardrails',
  tables: [
    {
      name: 'guardrail_counts',
      scope: 'project',
      by: 'project',
      key: ['hour', 'guardrail', 'check_kind', 'outcome', 'environment', 'model', 'user_id'],
      readable: true,
      retention: { ends: 'hour', keptDays: 400 },
      eraseUser: { deleteWhere: 'user_id = ?' },
    },
    { name: 'guardrail_versions', scope: 'project', by: 'project_id', key: ['guardrail_id', 'version'] },
    { name: 'guardrails', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: guardrailRoutes,
  reads: [countsRead],
  effects: [countOutcomes],
  actions: guardrailActions,
  services: [...compiledServices, listService(largeChecks)],
  works: [checkWork],
  on: [listen(guardrailsChanged, dropCompiled)],
};

export { createGuardrailAction } from './actions.ts';
export { tryGuardrails } from './checking/try-guardrails.ts';
export { guardrailEffects } from './counts/count-outcomes.ts';
export { listGuardrails, readGuardrail } from './queries.ts';
