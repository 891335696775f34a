/** Hosts of well-known providers that are used with another provider's client. */
const HOSTS: readonly (readonly [host: string, provider: string])[] = [
  ['api.openai.com', 'openai'],
  ['openai.azure.com', 'azure'],
  ['services.ai.azure.com', 'azure'],
  ['api.anthropic.com', 'anthropic'],
  ['api.groq.com', 'groq'],
  ['openrouter.ai', 'openrouter'],
  ['api.mistral.ai', 'mistral'],
  ['api.deepseek.com', 'deepseek'],
  ['api.x.ai', 'x-ai'],
  ['api.together.xyz', 'together'],
  ['api.fireworks.ai', 'fireworks'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.cerebras.ai', 'cerebras'],
  ['generativelanguage.googleapis.com', 'google'],
  ['aiplatform.googleapis.com', 'google'],
  ['amazonaws.com', 'aws'],
];

/** The host of a URL; empty if the URL is invalid. */
export const hostOf = (url: unknown): string => {
  try {
    return new URL(String(url)).hostname;
  } catch {
    return '';
  }
};

/** The provider behind a base URL, or `otherwise` if the host is unknown. */
export const providerOf = (baseUrl: unknown, otherwise: string): string => {
  const host = hostOf(baseUrl);
  return HOSTS.find(([known]) => host === known || host.endsWith(`.${known}`))?.[1] ?? otherwise;
};
