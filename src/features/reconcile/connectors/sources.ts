import type { ConnectorProvider } from './contract.ts';
import type { ProviderSource } from './figures.ts';
import { anthropicSource } from './providers/anthropic.ts';
import { openaiSource } from './providers/openai.ts';
import { openrouterSource } from './providers/openrouter.ts';

export const SOURCES: Readonly<Record<ConnectorProvider, ProviderSource>> = {
  anthropic: anthropicSource,
  openai: openaiSource,
  openrouter: openrouterSource,
};
