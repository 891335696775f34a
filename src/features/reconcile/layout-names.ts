import type { Layout } from './contract.ts';

/** Names of the exports. */
export const LAYOUT_NAMES: Readonly<Record<Layout, string>> = {
  'openai-usage': 'OpenAI usage',
  'openai-costs': 'OpenAI costs',
  'anthropic-usage': 'Anthropic usage',
  'anthropic-costs': 'Anthropic costs',
  'openrouter-activity': 'OpenRouter activity',
  'google-billing': 'Google Cloud billing',
  'aws-cur': 'AWS Cost and Usage Report',
  'azure-costs': 'Azure costs',
  generic: 'Plain CSV',
};
