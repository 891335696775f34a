import type { Provider } from '@pydantic/genai-prices';
import { z } from 'zod';
import { badRequest } from '../../errors.ts';

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

const model = z.object({
  id: z.string().min(1),
  match,
  prices: z.union([
    z
      .array(
        z.object({ constraint: constraint.nullish().transform((c) => c ?? undefined), prices: modelPrice }),
      )
      .min(1),
    modelPrice,
  ]),
});
const provider = z.object({
  id: z.string().min(1),
  name: z.string(),
  api_pattern: z.string(),
  model_match: match.optional(),
  provider_match: match.optional(),
  fallback_model_providers: z.array(z.string()).optional(),
  models: z.array(model),
});

/**
 * Parses a catalogue in the form that genai-prices publishes (`prices/new_data/v2/data.json`). It is accepted only as a
 * whole. Fields that pricing does not use are dropped.
 * @throws AppError 400 that names the first problem
 */
export function parseCatalogue(text: string): Provider[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw badRequest(`the catalogue is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const result = z.array(provider).min(1).safeParse(withoutNulls(given));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw badRequest(
      `the catalogue is not in the form of genai-prices: ${placeOf(given, issue?.path ?? [])}: ${issue?.message}`,
    );
  }
  const ids = result.data.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw badRequest(`the catalogue has the provider ${twice} twice`);
  const missing = result.data
    .flatMap(({ fallback_model_providers = [] }) => fallback_model_providers)
    .find((id) => !ids.includes(id));
  if (missing !== undefined)
    throw badRequest(`the catalogue refers to the provider ${missing}, which is missing`);
  return result.data as unknown as Provider[];
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
