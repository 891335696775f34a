import type { WeightedVersion } from '../../lib/prompts/choose-version.ts';
import { fillParts, type PromptMessage, partsOf, variablesOf } from '../../lib/prompts/fill-template.ts';
import type { Part } from '../../lib/prompts/parse-template.ts';
import type { PromptConfig, PromptFallback, PromptKind } from './prompt-options.ts';

/** A version whose templates are parsed, so that filling it is all that is left. */
export type ReadyVersion = {
  readonly version: number | null;
  readonly weight: number;
  readonly config: PromptConfig;
  readonly variables: readonly string[];
  readonly roles: readonly string[] | null;
  readonly parts: readonly (readonly Part[])[];
};

/** A prompt at a label or a version: one version, or those of a split. */
export type Fetched = {
  readonly type: PromptKind;
  readonly versions: readonly (ReadyVersion & WeightedVersion)[];
};

type Body = {
  readonly version?: unknown;
  readonly template?: unknown;
  readonly messages?: unknown;
  readonly config?: unknown;
  readonly weight?: unknown;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const ready = ({ template, messages, config }: Body): Omit<ReadyVersion, 'version' | 'weight'> => {
  const list = Array.isArray(messages) ? (messages as readonly PromptMessage[]) : null;
  const parts = partsOf(list === null ? { template: String(template) } : { messages: list });
  return {
    config: (isObject(config) ? config : {}) as PromptConfig,
    variables: variablesOf(parts.flat()),
    roles: list?.map(({ role }) => role) ?? null,
    parts,
  };
};

/** Reads the server's reply; null if it is none. */
export const readFetched = (body: unknown): Fetched | null => {
  if (!isObject(body) || typeof body.version !== 'number') return null;
  const given: readonly Body[] = Array.isArray(body.candidates) ? body.candidates : [body];
  try {
    const versions = given.map((one) => ({
      ...ready(one),
      version: Number(one.version),
      weight: typeof one.weight === 'number' ? one.weight : 1,
    }));
    return versions.length === 0 ? null : { type: body.type === 'chat' ? 'chat' : 'text', versions };
  } catch {
    return null;
  }
};

/** Reads a fallback. Throws TemplateError for one that cannot be read. */
export const readFallback = (given: PromptFallback): { type: PromptKind; version: ReadyVersion } => {
  const body = (
    typeof given === 'string' ? { template: given } : Array.isArray(given) ? { messages: given } : given
  ) as Body;
  const type = body.messages === undefined ? 'text' : 'chat';
  return { type, version: { ...ready(body), version: null, weight: 1 } };
};

/** The texts of a version with its variables filled. Throws TemplateError. */
export const fillVersion = ({ parts }: ReadyVersion, values: Readonly<Record<string, unknown>>): string[] =>
  fillParts(parts, values);
