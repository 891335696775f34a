import type { Provider } from '@pydantic/genai-prices';
import { z } from 'zod';
import { badRequest } from '../../../errors.ts';
import { parseInstant } from '../../../lib/time.ts';
import { type Alias, findAlias, modelOfTarget } from '../aliases/alias.ts';
import { BUILT_IN, type Catalogue, providerOf } from '../catalogue.ts';
import {
  listedPrices,
  listedProvider,
  parseBy,
  parseCatalogue,
  parseJson,
  refuseBrokenProviders,
} from './parse-catalogue.ts';
import { type Signature, signatureSchema } from './sign-pack.ts';

/** The first field of every pack. */
export const PACK_FORMAT = 'spanledger-prices/1';

const instant = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text) !== null, 'must be a date or an ISO 8601 time in UTC');
const name = z.string().min(1).max(300);

const aliasSchema = z.strictObject({
  provider: name,
  name: name.toLowerCase(),
  targets: z
    .array(
      z.strictObject({
        from: instant,
        model: name,
        prices: listedPrices.optional(),
        surely: instant.optional(),
      }),
    )
    .min(1)
    .max(200)
    .transform((targets) => targets.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))),
});

/** A pack without its signature. Prices are in the form and the units of genai-prices. */
const packSchema = z.strictObject({
  format: z.literal(PACK_FORMAT, `must be ${PACK_FORMAT}`),
  version: z.string().trim().min(1).max(100),
  /** The day as of which these are the published prices. */
  date: z.iso.date(),
  /** `built-in`: models that the pack does not list keep their built-in price. Unset: they have none. */
  extends: z.literal('built-in').optional(),
  note: z.string().max(500).optional(),
  providers: z.array(listedProvider).max(1_000).default([]),
  /** Unset: the built-in aliases. */
  aliases: z.array(aliasSchema).max(5_000).optional(),
});
export type PricePack = z.output<typeof packSchema>;

/** A document that was read: a pack with its signature, or the plain list of genai-prices. */
export type ReadPack = {
  readonly pack: PricePack;
  readonly signature: Signature | null;
  /** What was signed: the document as it was sent, without `signature`. */
  readonly signed: object;
};

/**
 * Reads a pack, or a list of providers as genai-prices publishes it, which becomes a pack of today.
 * @param now epoch milliseconds
 * @throws AppError 400 that names the first problem
 */
export function readPack(text: string, now: number): ReadPack {
  const given = parseJson(text, 'the catalogue');
  if (typeof given !== 'object' || given === null || Array.isArray(given) || !('format' in given)) {
    const providers = parseCatalogue(given) as unknown as PricePack['providers'];
    const date = new Date(now).toISOString().slice(0, 10);
    const pack: PricePack = { format: PACK_FORMAT, version: `genai-prices of ${date}`, date, providers };
    return { pack, signature: null, signed: pack };
  }
  const { signature, ...signed } = given as Record<string, unknown>;
  const pack = parseBy(packSchema, signed, 'the price pack');
  refuseBrokenProviders(
    pack.providers,
    pack.extends === undefined ? [] : BUILT_IN.providers.map(({ id }) => id),
  );
  if (pack.extends === undefined && pack.providers.length === 0)
    throw badRequest('the price pack: providers: is empty; list models, or set extends to built-in');
  refuseLostTargets(catalogueOfPack(pack), pack.aliases ?? []);
  const parsed = signature === undefined ? null : parseBy(signatureSchema, signature, 'the signature');
  return { pack, signature: parsed, signed };
}

function refuseLostTargets(catalogue: Catalogue, aliases: readonly Alias[]): void {
  for (const alias of aliases) {
    const models = providerOf(catalogue, alias.provider)?.models ?? [];
    const lost = alias.targets.find((target) => modelOfTarget(models, target) === undefined);
    if (lost !== undefined)
      throw badRequest(
        `the price pack: the alias ${alias.provider}/${alias.name} stands for ${lost.model}, which is not listed: list it, or give the target prices`,
      );
  }
}

/** The catalogue that a pack makes. `version` is that of the catalogue; the pack's by default. */
export function catalogueOfPack(pack: PricePack, version: string = pack.version): Catalogue {
  const isWhole = pack.extends === undefined;
  const own = new Map(pack.providers.map((provider) => [provider.id, provider]));
  const kept = isWhole ? [] : BUILT_IN.providers;
  const extended = kept.map((base) => {
    const provider = own.get(base.id);
    return provider === undefined ? base : completed(provider, base, true);
  });
  const added = pack.providers
    .filter(({ id }) => isWhole || providerOf(BUILT_IN, id) === undefined)
    .map((provider) => completed(provider, providerOf(BUILT_IN, provider.id), false));
  const { aliases = [] } = pack;
  const others = BUILT_IN.aliases.filter(
    (alias) =>
      !findAlias(aliases, alias.provider, alias.name) &&
      (isWhole || !isReplaced(own.get(alias.provider), alias)),
  );
  return {
    version,
    date: pack.date,
    providers: [...extended, ...added],
    aliases: isWhole && pack.aliases !== undefined ? aliases : [...aliases, ...others],
  };
}

/** Whether a pack that adds to the built-in catalogue states a price for the alias itself, which then applies. */
const isReplaced = (
  provider: PricePack['providers'][number] | undefined,
  { name: alias, targets }: Alias,
): boolean =>
  targets.at(-1)?.model !== alias && provider?.models.some(({ id }) => id.toLowerCase() === alias) === true;

/** A provider of a pack with what it leaves out as in the built-in catalogue, `andModels` with its other models. */
function completed(
  { models, ...provider }: PricePack['providers'][number],
  base: Provider | undefined,
  andModels: boolean,
): Provider {
  const listed = models.map((model) => ({
    ...model,
    match: model.match ??
      base?.models.find(({ id }) => id === model.id)?.match ?? { equals: model.id.toLowerCase() },
  }));
  const ids = new Set(listed.map(({ id }) => id));
  const rest = andModels ? (base?.models.filter(({ id }) => !ids.has(id)) ?? []) : [];
  const {
    name: baseName = provider.id,
    api_pattern = '',
    model_match,
    provider_match,
    fallback_model_providers,
  } = base ?? {};
  const inherited = { name: baseName, api_pattern, model_match, provider_match, fallback_model_providers };
  return { ...inherited, ...provider, models: [...listed, ...rest] } as Provider;
}
