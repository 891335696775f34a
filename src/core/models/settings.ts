import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Config, ConfigError, readEnv } from '../../config.ts';
import { apiKey } from '../../lib/setting-types.ts';
import { MODEL_PROVIDERS, type ModelProvider } from './contract.ts';

/** A provider whose models the server may call, as the operator configured it. */
export type ProviderSetting = {
  /** First part of the ids of its models. Events name it as their provider where the dialect does not. */
  readonly name: string;
  readonly provider: ModelProvider;
  /** Without a slash at its end; null for the provider's own. */
  readonly baseUrl: string | null;
  /** It goes only into the header of a request; null if none is sent. */
  readonly apiKey: string | null;
  readonly models: readonly string[];
  /** Longest duration of a call. */
  readonly timeoutSeconds: number;
};

/** Models of a provider of which only the key is configured. */
export const USUAL_MODELS = {
  openai: [
    'gpt-5.5',
    'gpt-5.4',
    'gpt-5.4-mini',
    'gpt-5.4-nano',
    'gpt-4.1',
    'gpt-4.1-mini',
    'gpt-4o',
    'gpt-4o-mini',
  ],
  anthropic: ['claude-opus-4-8', 'claude-sonnet-5', 'claude-sonnet-4-6', 'claude-haiku-4-5'],
  google: [
    'gemini-3.1-pro-preview',
    'gemini-3.5-flash',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
  ],
} as const satisfies Partial<Record<ModelProvider, readonly string[]>>;

const TIMEOUT_SECONDS = 300;
const MAX_TIMEOUT_SECONDS = 600;

const entry = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'has to be lower-case letters, digits, dots and dashes'),
    provider: z.enum(MODEL_PROVIDERS),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'has to be a URL such as https://llm.example.com/v1' })
      .refine((text) => URL.parse(text)?.username === '' && URL.parse(text)?.password === '', 'has no user')
      .transform((text) => text.replace(/\/+$/, ''))
      .optional(),
    apiKeyEnv: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'has to be the name of a variable')
      .optional(),
    apiKeyFile: z.string().min(1).optional(),
    models: z
      .array(z.string().regex(/^[\x21-\x7e]{1,200}$/, 'has to be a name without blanks'))
      .min(1)
      .max(200),
    timeoutSeconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).default(TIMEOUT_SECONDS),
  })
  .refine(
    ({ provider, apiKeyEnv, apiKeyFile }) =>
      provider === 'openai-compatible'
        ? apiKeyEnv === undefined || apiKeyFile === undefined
        : (apiKeyEnv === undefined) !== (apiKeyFile === undefined),
    'needs apiKeyEnv or apiKeyFile, not both',
  )
  .refine(
    ({ provider, baseUrl }) => provider !== 'openai-compatible' || baseUrl !== undefined,
    'needs baseUrl',
  );

const list = z.array(entry).max(50);

const FIX = 'Correct it as the README describes under "Models"';
const wrong = (what: string, fix = FIX): ConfigError => new ConfigError('MODELS_FILE', what, fix);

/**
 * Reads the providers of `MODELS_FILE`, then those of the other settings.
 * @throws {ConfigError} that names the entry and field, but no value
 */
export function readProviders(config: Config): ProviderSetting[] {
  const all = [...fromFile(config.MODELS_FILE), ...fromKeys(config), ...fromAddress(config)];
  const names = new Set<string>();
  for (const { name } of all) {
    if (names.has(name))
      throw wrong(`MODELS_FILE: two providers have the name ${name}`, 'Rename one of them');
    names.add(name);
  }
  return all;
}

function fromFile(path: string | undefined): ProviderSetting[] {
  if (path === undefined) return [];
  const parsed = list.safeParse(parseJson(readText(path)));
  if (!parsed.success) throw wrong(`MODELS_FILE: ${describe(parsed.error.issues[0])}`);
  return parsed.data.map(({ apiKeyEnv, apiKeyFile, baseUrl, models, ...rest }) => ({
    ...rest,
    baseUrl: baseUrl ?? null,
    apiKey: readKey({ apiKeyEnv, apiKeyFile }),
    models: [...new Set(models)],
  }));
}

function fromKeys({ OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY }: Config): ProviderSetting[] {
  const keys = { openai: OPENAI_API_KEY, anthropic: ANTHROPIC_API_KEY, google: GEMINI_API_KEY };
  return (['openai', 'anthropic', 'google'] as const).flatMap((provider) => {
    const key = keys[provider];
    if (key === undefined) return [];
    const models = USUAL_MODELS[provider];
    return [
      { name: provider, provider, baseUrl: null, apiKey: key, models, timeoutSeconds: TIMEOUT_SECONDS },
    ];
  });
}

function fromAddress({ AI_BASE_URL, AI_API_KEY, AI_MODEL }: Config): ProviderSetting[] {
  if (AI_BASE_URL === undefined || AI_MODEL === undefined) return [];
  return [
    {
      name: 'custom',
      provider: 'openai-compatible',
      baseUrl: AI_BASE_URL,
      apiKey: AI_API_KEY ?? null,
      models: [...new Set(AI_MODEL.split(','))],
      timeoutSeconds: TIMEOUT_SECONDS,
    },
  ];
}

type KeyPlace = { readonly apiKeyEnv: string | undefined; readonly apiKeyFile: string | undefined };

function readKey({ apiKeyEnv, apiKeyFile }: KeyPlace): string | null {
  if (apiKeyFile !== undefined) {
    const text = readText(apiKeyFile);
    if (apiKey.safeParse(text).success) return text;
    throw wrong(
      `MODELS_FILE: ${apiKeyFile} holds no key`,
      'Write the key into it, as one line without blanks',
    );
  }
  if (apiKeyEnv === undefined) return null;
  const value = readEnv()[apiKeyEnv];
  if (apiKey.safeParse(value).success) return value ?? null;
  throw wrong(`MODELS_FILE: the variable ${apiKeyEnv} holds no key`, 'Set it to the key, without blanks');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw wrong(`MODELS_FILE: cannot read ${path}`, 'Name a file that the server can read');
  }
}

/** The parser's message would quote the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('MODELS_FILE is not JSON');
  }
}

/** The entry's place, the field and the problem, without the value. */
function describe(issue: z.core.$ZodIssue | undefined): string {
  const [at, ...fields] = issue?.path ?? [];
  const where =
    typeof at === 'number' ? `entry ${at + 1}${fields.length === 0 ? '' : `, ${fields.join('.')}`}: ` : '';
  return `${where}${issue?.message ?? 'not valid'}`;
}
