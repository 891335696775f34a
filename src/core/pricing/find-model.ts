import type { ModelInfo } from '@pydantic/genai-prices';
import { type Alias, findAlias, modelOfTarget } from './aliases/alias.ts';
import { type Catalogue, modelOf as entryOf, makerOf, providerOf } from './catalogue.ts';
import { catalogueProvider } from './catalogue-provider.ts';

/**
 * A model of the catalogue, and the catalogue's id of the requested provider. For an alias, the model that it stands
 * for at last; `alias` says which it was before.
 */
export type FoundModel = { readonly provider: string; readonly model: ModelInfo; readonly alias?: Alias };

/** Why no model was found. */
export type NotFound = 'no_model' | 'unknown_provider' | 'unknown_model';

/** Gateways: the prefix of the model names the provider (LiteLLM, AI SDK). */
const GATEWAYS: ReadonlySet<string> = new Set(['', 'litellm', 'litellm_proxy', 'gateway', 'vercel']);

/** Prefixes that belong to the model's name and do not name a provider. */
const OWN_PREFIX = /^(?:@cf|accounts\/fireworks)\//;

/** Google's resource names: `models/…`, `publishers/google/models/…`. */
const RESOURCE = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?models\//;

/** The moderation models, which are free. The catalogue's own rule matches any name that contains the word. */
const MODERATION = /^(?:(?:text|omni)-)?moderation(?:-(?:latest|stable|\d[\d-]*))?$/;

/** Makers that begin the ids of Bedrock's models. Some clients leave them out (OpenLLMetry): `nova-pro-v1:0`. */
const BEDROCK_MAKERS = 'amazon anthropic deepseek google meta mistral nvidia openai qwen writer'.split(' ');

/** The catalogue's entry for a model of exactly this provider; dated names and aliases match. */
function modelOf(catalogue: Catalogue, provider: string, name: string): FoundModel | null {
  const seller = providerOf(catalogue, provider);
  if (seller === undefined) return null;
  const alias = findAlias(catalogue.aliases, provider, name);
  const target = alias?.targets.findLast((to) => modelOfTarget(seller.models, to) !== undefined);
  const newest = target === undefined ? undefined : modelOfTarget(seller.models, target);
  if (alias !== undefined && newest !== undefined) return { provider, model: newest, alias };
  const model = entryOf(catalogue, seller, name);
  if (model === null || (model.id === 'moderation' && !MODERATION.test(name))) return null;
  return { provider, model };
}

/** Splits `provider/model` if the part before the first slash is a provider of the catalogue. */
function splitPrefix(catalogue: Catalogue, name: string): { provider: string; rest: string } | null {
  const slash = name.indexOf('/');
  if (slash < 1 || OWN_PREFIX.test(name)) return null;
  const provider = catalogueProvider(catalogue, name.slice(0, slash));
  return provider === null ? null : { provider, rest: name.slice(slash + 1) };
}

/** Finds a model without a provider: by a provider prefix, otherwise by the one maker of that name. */
function findByName(catalogue: Catalogue, name: string): FoundModel | NotFound {
  const prefixed = splitPrefix(catalogue, name);
  if (prefixed === null && name.includes('/') && !OWN_PREFIX.test(name)) return 'unknown_provider';
  const provider = prefixed?.provider ?? makerOf(catalogue, name)?.id;
  if (provider === undefined) return 'unknown_model';
  return modelOf(catalogue, provider, prefixed?.rest ?? name) ?? 'unknown_model';
}

/**
 * Finds a model in the catalogue. If a provider is given, only its models match, never another maker's model of the
 * same name. Names are compared without case and surrounding space.
 */
export function findModel(
  catalogue: Catalogue,
  provider: string | null,
  model: string | null,
): FoundModel | NotFound {
  const name = model?.trim().toLowerCase().replace(RESOURCE, '') ?? '';
  if (name === '') return 'no_model';
  const asked = provider?.trim().toLowerCase() ?? '';
  if (GATEWAYS.has(asked)) return findByName(catalogue, name);
  const id = catalogueProvider(catalogue, asked);
  if (id === null) return 'unknown_provider';
  const whole = modelOf(catalogue, id, name);
  if (whole !== null) return whole;
  const prefixed = splitPrefix(catalogue, name);
  const rest = prefixed?.provider === id ? modelOf(catalogue, id, prefixed.rest) : null;
  return rest ?? (id === 'aws' ? withMaker(catalogue, name) : null) ?? 'unknown_model';
}

function withMaker(catalogue: Catalogue, name: string): FoundModel | null {
  for (const maker of BEDROCK_MAKERS) {
    const found = modelOf(catalogue, 'aws', `${maker}.${name}`);
    if (found !== null) return found;
  }
  return null;
}
