import { type Catalogue, providerOf } from './catalogue.ts';

/**
 * Provider names that clients send, reduced to letters and digits, with the catalogue's id for each. Sources: values of
 * `gen_ai.provider.name` and the older `gen_ai.system` (OpenTelemetry), OpenInference, LangChain, LiteLLM, the Vercel
 * AI SDK.
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
  ['googleai', 'google'],
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
  // OpenTelemetry: `moonshot_ai`.
  ['moonshotai', 'moonshotai'],
  ['novitaai', 'novita'],
  ['perplexityai', 'perplexity'],
  ['togetherai', 'together'],
  ['voyage', 'voyageai'],
  ['xai', 'x-ai'],
  ['zai', 'zai'],
  ['zhipu', 'zhipuai'],
]);

/** Suffixes with which the Vercel AI SDK distinguishes a provider's interfaces: `openai.responses`. */
const INTERFACE = /\.(?:chat|responses|messages|completion|embedding|image|speech|transcription)s?$/;

/**
 * The catalogue's id of a provider, or null if unknown. Only whole names match. The catalogue's own search matches any
 * name that contains `openai`, which would give resellers OpenAI's prices.
 */
export function catalogueProvider(catalogue: Catalogue, name: string): string | null {
  const plain = name.trim().toLowerCase().replace(INTERFACE, '');
  const alias = ALIASES.get(plain.replace(/[^a-z0-9]/g, ''));
  if (alias !== undefined) return alias;
  const id = plain.replace(/[._ ]/g, '-');
  return [plain, id].find((spelling) => providerOf(catalogue, spelling) !== undefined) ?? null;
}
