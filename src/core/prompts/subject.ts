import { defineSubject } from '../audit/index.ts';
import { promptLabels, promptSettings, prompts, promptVersions } from './table.ts';

/** What the audit log shows of a prompt. Not its texts: one may name an end user, and the log forgets nobody. */
export const promptSubject = defineSubject('prompt', prompts, [
  'name',
  'type',
  'tags',
  'lastVersion',
  'createdBy',
]);

export const promptVersionSubject = defineSubject(
  'prompt_version',
  promptVersions,
  ['version', 'bytes', 'variables', 'includes', 'createdBy'],
  ['promptId', 'version'],
);

export const promptLabelSubject = defineSubject(
  'prompt_label',
  promptLabels,
  ['label', 'versions', 'updatedBy'],
  ['promptId', 'label'],
);

export const promptSettingsSubject = defineSubject(
  'prompt_settings',
  promptSettings,
  ['protectedLabels'],
  ['projectId'],
);
