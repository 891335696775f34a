import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { evaluatorActions } from './actions.ts';
import { evaluatorRoutes } from './routes.ts';
import { compareShare, compareWork } from './run/compare-work.ts';

/**
 * Evaluators with their versions. `runEvaluator` of `run/` judges a sample by rules, such as those of
 * `findEvaluatorRules`; a `Sample` has input, output, expected and context.
 */
export const evaluatorsModule: Module = {
  name: 'evaluators',
  // No erasure: people write evaluators, and what end users say is only filled in.
  tables: [
    { name: 'evaluator_versions', scope: 'project', by: 'project_id', key: ['evaluator_id', 'version'] },
    { name: 'evaluators', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: evaluatorRoutes,
  actions: evaluatorActions,
  services: [listService(compareShare)],
  works: [compareWork],
};

export { checkEvaluator, createEvaluator } from './change-evaluator.ts';
export { judgeMessages } from './judges/judge-messages.ts';
export { JUDGE_LIBRARY } from './judges/library.ts';
export { findEvaluatorRules, findVersion, listEvaluators } from './queries.ts';
export { definitionOf } from './run/definition-of.ts';
export type { Judgement } from './run/judgement.ts';
export { type Evaluation, runEvaluator } from './run/run-evaluator.ts';
export type { Sample } from './run/sample.ts';
export { subjectSample } from './run/stored-sample.ts';
export { shownConfig } from './webhook/webhook-secrets.ts';
