import { type Catalogue, providerOf } from './catalogue.ts';

/**
 * Names that clients send, by their letters and digits alone, and the catalogue's id for each. From the
 * values of `gen_ai.provider.name` and the older `gen_ai.system` (OpenTelemetry), OpenInference,
 * LangChain, LiteLLM and the Vercel AI SDK.
 */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['azopenai', 'azure'],
  ['azaiopenai', 'azure'],
  ['azaiinference', 'azure'],
  ['azureai', 'azure'],
  ['azureaiopenai', 'azure'],
  ['azureaiinference', 'azure'],
  ['azureaifoundry', 'azure'],
  ['azurefoundry', 'azure'],
  ['azureopenai', 'azure'],
  ['amazon', 'aws'],
  ['amazonbedrock', 'aws'],
  ['awsbedrock', 'aws'],
  ['bedrock', 'aws'],
  ['bedrockconverse', 'aws'],
  ['coherechat', 'cohere'],
  ['cloudflareworkersai', 'cloudflare'],
  ['workersai', 'cloudflare'],
  ['copilot', 'github-copilot'],
  ['fireworksai', 'fireworks'],
  ['gcpgemini', 'google'],
  ['gcpgenai', 'google'],
  ['gcpvertexai', 'google'],
  ['gemini', 'google'],
  ['googleaistudio', 'google'],
  ['googlegemini', 'google'],
  ['googlegenai', 'google'],
  ['googlegenerativeai', 'google'],
  ['googlevertex', 'google'],
  ['googlevertexai', 'google'],
  ['googlevertexanthropic', 'google'],
  ['vertex', 'google'],
  ['vertexai', 'google'],
  ['vertexanthropic', 'google'],
  ['mistralai', 'mistral'],
  ['moonshot', 'moonshotai'],
  ['novitaai', 'novita'],
  ['perplexityai', 'perplexity'],
  ['togetherai', 'together'],
  ['voyage', 'voyageai'],
  ['xai', 'x-ai'],
  ['zai', 'zai'],
  ['zhipu', 'zhipuai'],
]);

/** Endings by which the Vercel AI SDK tells a provider's interfaces apart: `openai.responses`. */
const INTERFACE = /\.(?:chat|responses|messages|completion|embedding)s?$/;

/**
 * The catalogue's id of a provider, or null where it has none. Only whole names match: the catalogue's
 * own search takes any name that contains `openai`, so that a reseller would get OpenAI's prices.
 */
export function catalogueProvider(catalogue: Catalogue, name: string): string | null {
  const plain = name.trim().toLowerCase().replace(INTERFACE, '');
  const alias = ALIASES.get(plain.replace(/[^a-z0-9]/g, ''));
  if (alias !== undefined) return alias;
  const id = plain.replace(/[._ ]/g, '-');
  return [plain, id].find((spelling) => providerOf(catalogue, spelling) !== undefined) ?? null;
}
