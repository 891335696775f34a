import type { Ctx } from '../../context.ts';
import { isObject } from '../../lib/messages/message.ts';
import { readOutputSchema, readTool } from '../../lib/prompts/read-settings.ts';
import { type ModelConfig, modelConfigSchema } from './contract.ts';
import { listAllowed } from './models-of.ts';

/** How a version of a prompt is called. */
export type PromptSettings = {
  /** `<name>/<model>`; null if the version names no model that the server may call. */
  readonly model: string | null;
  readonly config: ModelConfig;
};

type Given = Readonly<Record<string, unknown>>;
const { shape } = modelConfigSchema;

/**
 * The settings in the config of a prompt's version, which holds whatever its application needs: a model as
 * `GET /v1/models` lists it or as its provider names it, tools and output formats also in the forms of OpenAI and
 * Anthropic. What the server does not know is left out.
 */
export function settingsOfPrompt(ctx: Ctx, config: Given): PromptSettings {
  const { temperature, topP, stop, seed, reasoning, toolChoice, tools } = config;
  const format = formatOf(config.responseFormat);
  const plain = {
    temperature,
    topP,
    maxOutputTokens: config.maxOutputTokens ?? config.maxTokens,
    stop: typeof stop === 'string' ? [stop] : stop,
    seed,
    reasoning,
    toolChoice,
    tools: Array.isArray(tools) && tools.length > 0 ? tools.map(readTool) : undefined,
    responseFormat: format,
  } as const;
  const known = Object.entries(plain).flatMap(([name, value]) => {
    const read = value === undefined ? null : shape[name as keyof typeof plain].safeParse(value);
    return read?.success ? [[name, read.data] as const] : [];
  });
  return { model: modelOf(ctx, config.model), config: Object.fromEntries(known) };
}

function formatOf(format: unknown): unknown {
  const schema = readOutputSchema(format);
  if (schema !== undefined) return { type: 'json', schema };
  return isObject(format) && /^json/.test(String(format.type)) ? { type: 'json' } : undefined;
}

function modelOf(ctx: Ctx, name: unknown): string | null {
  for (const [id, { model }] of listAllowed(ctx)) if (id === name || model === name) return id;
  return null;
}
