/**
 * Names that clients send for a provider, by the catalogue's id. Sources: values of `gen_ai.provider.name` and the older
 * `gen_ai.system` (OpenTelemetry), OpenInference, LangChain, LiteLLM, the Vercel AI SDK.
 */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  aws: ['amazon', 'amazon-bedrock', 'amazon_bedrock', 'aws.bedrock', 'bedrock', 'bedrock_converse'],
  azure: [
    ...['azopenai', 'az.ai.openai', 'az.ai.inference', 'azure_ai', 'azure.ai.openai', 'azure.ai.inference'],
    ...['azure_ai_foundry', 'azure_foundry', 'azure_openai', 'azure-openai'],
  ],
  cloudflare: ['cloudflare-workers-ai', 'workers-ai', 'workersai'],
  cohere: ['cohere_chat'],
  fireworks: ['fireworks_ai', 'fireworks-ai'],
  'github-copilot': ['copilot', 'github_copilot'],
  google: [
    ...[
      'gcp.gemini',
      'gcp.gen_ai',
      'gcp.vertex_ai',
      'gemini',
      'google_ai',
      'google-ai-studio',
      'google_gemini',
    ],
    ...['google_genai', 'google-genai', 'google.generative-ai', 'google.vertex', 'google-vertex'],
    ...['google_vertexai', 'google-vertex-ai', 'google.vertex.anthropic', 'google-vertex-anthropic'],
    ...['vertex', 'vertex_ai', 'vertexai', 'vertex.anthropic'],
  ],
  mistral: ['mistral_ai', 'mistralai'],
  moonshotai: ['moonshot', 'moonshot_ai'],
  novita: ['novita_ai'],
  perplexity: ['perplexity_ai'],
  together: ['together_ai', 'togetherai'],
  voyageai: ['voyage'],
  'x-ai': ['xai', 'x_ai'],
  zai: ['z_ai', 'z.ai'],
  zhipuai: ['zhipu'],
};

const names = Object.entries(SPELLINGS).flatMap(([id, spellings]) =>
  spellings.map((spelling) => [spelling, id] as const),
);
const BY_SPELLING: ReadonlyMap<string, string> = new Map(names);

const lettersOf = (name: string): string => name.replace(/[^a-z0-9]/g, '');
const BY_LETTERS: ReadonlyMap<string, string> = new Map(names.map(([name, id]) => [lettersOf(name), id]));

/** The catalogue's id of the provider that a name in lower case spells otherwise, whatever stands between its letters. */
export const idOfSpelling = (name: string): string | undefined => BY_LETTERS.get(lettersOf(name));

/** The name under which figures have a provider, whichever client sent its calls. */
export const providerName = (sent: string): string => BY_SPELLING.get(sent) ?? sent;

/** The names in events that figures have under one name; also that name itself. */
export const spellingsOf = (name: string): readonly string[] => [
  name,
  ...(Object.hasOwn(SPELLINGS, name) ? (SPELLINGS[name] ?? []) : []),
];

/** All names under which figures have providers that clients spell in several ways. */
export const SPELLED: readonly string[] = Object.keys(SPELLINGS);
