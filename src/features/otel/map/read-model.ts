import { lookUp } from '../../../lib/text/look-up.ts';
import { type Rule, readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import * as map from './mapping.ts';

/** What is known of providers; null if unknown. */
export type Providers = {
  /** The provider of a model, for clients that do not name one. */
  readonly inferProvider: (model: string) => string | null;
  /** The provider whose API a host serves. */
  readonly providerAt: (host: string) => string | null;
};

/** Who served a call, and the model that is billed. */
type Model = { readonly provider: string | null; readonly model: string | null };

export const NO_MODEL: Model = { provider: null, model: null };

/**
 * Reads provider and model of a call. On Azure the request names a deployment, which has no price; the reply names the
 * model, as it does for the SDK.
 */
export function readModel(span: Span, ctx: Providers): Model {
  const named = nameOfModel(span);
  const model = named === span.attributes.get(map.MODEL_WITH_PLUGIN) ? withoutPlugin(named) : named;
  const provider = providerOf(span, named, ctx) ?? providerOf(span, model, ctx);
  const isDeployment = provider !== null && map.AZURE.test(provider);
  return { provider, model: (isDeployment ? readField(span, map.RESPONSE_MODEL) : null) ?? model };
}

function nameOfModel(span: Span): string | null {
  const name = readField(span, map.MODEL);
  return name !== null && name === span.attributes.get('llm.system')
    ? (readField(span, map.UNCUT_MODEL) ?? name)
    : name;
}

const withoutPlugin = (model: string | null): string | null => model?.replace(map.PLUGIN, '') || model;

/** The provider that a span names. A framework's name is ignored, so that the next source is used. */
const PROVIDER: Rule<string> = {
  ...map.PROVIDER,
  read: (value) => {
    const name = map.PROVIDER.read(value)?.trim().toLowerCase().replace(map.PROVIDER_INTERFACE, '');
    if (!name || map.FRAMEWORKS.has(name)) return null;
    return lookUp(map.PROVIDER_ALIASES, name) ?? name;
  },
};

function providerOf(span: Span, model: string | null, ctx: Providers): string | null {
  const named = readField(span, PROVIDER);
  if (named !== null && map.NAMED_AFTER_CLIENT.has(named)) return providerAt(span, ctx) ?? named;
  if (named !== null || model === null) return named;
  return ctx.inferProvider(model) ?? map.MAKERS.find(([name]) => name.test(model))?.[1] ?? null;
}

const providerAt = (span: Span, ctx: Providers): string | null =>
  readField(span, {
    ...map.ADDRESS,
    read: (value) => {
      const address = map.ADDRESS.read(value);
      return address === null ? null : ctx.providerAt(hostOf(address));
    },
  });

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : address);
