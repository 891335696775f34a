import type { Module } from '../../module.ts';
import { modelActions } from './actions.ts';
import { ANSWERS_KEPT_DAYS } from './ask/kept-answers.ts';
import { modelServices } from './models-of.ts';
import { recoverCalls } from './recover-calls.ts';
import { modelRoutes } from './routes.ts';
import { settleEffect } from './settle-effect.ts';

/** The language models that the server itself may call, and what it spends on them. */
export const modelsModule: Module = {
  name: 'models',
  tables: [
    {
      name: 'model_calls',
      scope: 'organization',
      by: 'organization_id',
      alsoBy: 'project_id',
      key: ['id'],
      // Calls of the process that made the backup.
      backup: false,
    },
    {
      name: 'model_answers',
      scope: 'project',
      by: 'project_id',
      key: ['key'],
      retention: { ends: 'started_at', keptDays: ANSWERS_KEPT_DAYS },
    },
    { name: 'model_months', scope: 'organization', by: 'organization_id', key: ['month'] },
  ],
  routes: modelRoutes,
  actions: modelActions,
  effects: [settleEffect],
  jobs: [recoverCalls],
  services: modelServices,
};

export { askModel, type Question } from './ask/ask-model.ts';
export { expectCost } from './ask/expect-cost.ts';
export { forgetAnswers } from './ask/kept-answers.ts';
export { callModel, type ModelCall } from './call-model.ts';
export { modelsOf, stopModels } from './models-of.ts';
export { type PromptSettings, settingsOfPrompt } from './settings-of-prompt.ts';
