import type { ConditionalPrice, Provider } from '@pydantic/genai-prices';
import { z } from 'zod';
import { badRequest } from '../../../errors.ts';

const price = z.number().min(0).max(1e12);
const tiered = z.object({
  base: price,
  tiers: z.array(z.object({ start: z.int().min(0), price })).min(1),
});
const modelPrice = z.record(z.string(), z.union([price, tiered]));

const timeOfDay = z.string().regex(/^\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/);
/** In the published file the fields show the kind of a condition; in the package it is `type`. */
const constraint = z.union([
  z
    .strictObject({ type: z.literal('start_date').optional(), start_date: z.iso.date() })
    .transform(({ start_date }) => ({ type: 'start_date' as const, start_date })),
  z
    .strictObject({
      type: z.literal('time_of_date').optional(),
      start_time: timeOfDay,
      end_time: timeOfDay,
    })
    .transform(({ start_time, end_time }) => ({ type: 'time_of_date' as const, start_time, end_time })),
]);

const MAX_PATTERN = 1_000;
const compiles = (pattern: string): boolean => {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
};
const match: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ equals: z.string() }),
    z.strictObject({ starts_with: z.string() }),
    z.strictObject({ ends_with: z.string() }),
    z.strictObject({ contains: z.string() }),
    z.strictObject({ regex: z.string().max(MAX_PATTERN).refine(compiles, 'is not a regular expression') }),
    z.strictObject({ or: z.array(match).min(1) }),
    z.strictObject({ and: z.array(match).min(1) }),
  ]),
);

const id = z.string().min(1).max(300);
/** The prices of a model: of all times, or by start date and time of day, of which the last that applies is the price. */
export const listedPrices = z.union([
  z
    .array(
      z
        .object({ constraint: constraint.optional(), prices: modelPrice })
        .transform(
          ({ constraint: when, prices }): ConditionalPrice =>
            when === undefined ? { prices } : { constraint: when, prices },
        ),
    )
    .min(1),
  modelPrice,
]);
/** A model of a pack. Without `match`, its names are those of the built-in model of that id, or the id itself. */
export const listedModel = z.object({
  id,
  name: z.string().max(300).optional(),
  deprecated: z.boolean().optional(),
  context_window: z.number().optional(),
  match: match.optional(),
  prices: listedPrices,
});
/** A provider of a pack. */
export const listedProvider = z.object({
  id,
  name: z.string().max(300).optional(),
  api_pattern: z.string().optional(),
  model_match: match.optional(),
  provider_match: match.optional(),
  fallback_model_providers: z.array(z.string()).optional(),
  models: z.array(listedModel),
});
export type ListedProvider = z.output<typeof listedProvider>;

const provider = listedProvider.extend({
  name: z.string(),
  api_pattern: z.string(),
  models: z.array(listedModel.extend({ match })),
});

/** Parses JSON. Throws AppError 400 that names the document. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`${what} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Parses a document by a schema, without its nulls. Throws AppError 400 that names the first problem and its place. */
export function parseBy<T extends z.ZodType>(schema: T, given: unknown, what: string): z.output<T> {
  const result = schema.safeParse(withoutNulls(given));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(`${what}: ${placeOf(given, issue?.path ?? [])}: ${issue?.message}`);
}

/**
 * Parses a catalogue in the form that genai-prices publishes (`prices/new_data/v2/data.json`). It is accepted only as a
 * whole. Fields that pricing does not use are dropped.
 * @throws AppError 400 that names the first problem
 */
export function parseCatalogue(given: unknown): Provider[] {
  const providers = parseBy(
    z.array(provider).min(1),
    given,
    'the catalogue is not in the form of genai-prices',
  );
  refuseBrokenProviders(providers, []);
  return providers as unknown as Provider[];
}

/** Refuses a provider that is listed twice, and a reference to one that neither the list nor `known` has. */
export function refuseBrokenProviders(providers: readonly ListedProvider[], known: readonly string[]): void {
  const ids = providers.map(({ id }) => id);
  const twice = ids.find((one, i) => ids.indexOf(one) !== i);
  if (twice !== undefined) throw badRequest(`the catalogue has the provider ${twice} twice`);
  for (const { id: owner, models } of providers) {
    const names = models.map((model) => model.id);
    const double = names.find((one, i) => names.indexOf(one) !== i);
    if (double !== undefined) throw badRequest(`the catalogue has the model ${owner}/${double} twice`);
  }
  const missing = providers
    .flatMap(({ fallback_model_providers = [] }) => fallback_model_providers)
    .find((one) => !ids.includes(one) && !known.includes(one));
  if (missing !== undefined)
    throw badRequest(`the catalogue refers to the provider ${missing}, which is missing`);
}

/** Removes nulls: some published files use null for absent fields. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

/** Describes a path by the ids of provider and model instead of their positions. */
function placeOf(given: unknown, path: readonly PropertyKey[]): string {
  const words: string[] = [];
  let at = given;
  for (const step of path) {
    at = typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined;
    const id = typeof at === 'object' && at !== null && 'id' in at ? at.id : undefined;
    words.push(typeof id === 'string' ? id : String(step));
  }
  return words.length === 0 ? 'the document' : words.join(' › ');
}
