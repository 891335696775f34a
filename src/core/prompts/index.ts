import { listen, type Module } from '../../module.ts';
import { promptActions } from './actions.ts';
import { changePromptsOp } from './change/change-op.ts';
import { promptsChanged } from './change/change-prompts.ts';
import { compiledServices, dropCompiled } from './compile/serve-compiled.ts';
import { promptRoutes } from './routes.ts';

/** Prompts of a project with versions, labels and includes, and how clients fetch them. */
export const promptsModule: Module = {
  name: 'prompts',
  // No erasure: people write prompts, and what end users say is filled in where a prompt is used.
  tables: [
    { name: 'prompt_label_changes', scope: 'project', by: 'project_id', key: ['id'] },
    { name: 'prompt_labels', scope: 'project', by: 'project_id', key: ['prompt_id', 'label'] },
    { name: 'prompt_versions', scope: 'project', by: 'project_id', key: ['prompt_id', 'version'] },
    { name: 'prompt_settings', scope: 'project', by: 'project_id', key: ['project_id'] },
    { name: 'prompts', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: promptRoutes,
  writes: [changePromptsOp],
  actions: promptActions,
  services: compiledServices,
  on: [listen(promptsChanged, dropCompiled)],
};

export { createPrompt, createVersion, setLabel } from './change/change-prompts.ts';
export { diffVersions } from './compare/diff-versions.ts';
export { compileVersions } from './compile/compile-prompt.ts';
export { readFigures as readPromptFigures } from './figures/read-figures.ts';
export { exportPrompts } from './files/export-prompts.ts';
export { listPrompts, listVersions, readPrompt } from './queries.ts';
