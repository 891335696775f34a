import { expect, test } from 'bun:test';
import { changeText } from '../../../src/core/root-cause/change-text.ts';

test.each([
  ['project.api_key_created', 'api_key backend', 'API key backend created'],
  ['prompt.label_moved', 'prompt_label production', 'Prompt label production moved'],
  ['guardrail.created', 'guardrail personal data', 'Guardrail personal data created'],
  ['sdk_config.updated', 'sdk_config prj_1', 'SDK config prj_1 updated'],
  ['repricing.applied', '', 'Repricing applied'],
])('%s of %p is said in words', (action, subject, words) => {
  expect(changeText(action, subject)).toBe(words);
});
