import { z } from 'zod';
import { badRequest } from '../errors.ts';
import { nearest } from '../lib/nearest.ts';
import type { Endpoint } from './endpoint.ts';

/** The parameters that a schema of a query names; null where it accepts any, as a loose object does. */
function namesOf(schema: z.ZodType): ReadonlySet<string> | null {
  if (schema instanceof z.ZodObject)
    return schema.def.catchall instanceof z.ZodUnknown ? null : new Set(Object.keys(schema.shape));
  if (!(schema instanceof z.ZodIntersection)) return null;
  const [left, right] = [schema.def.left, schema.def.right].map((side) => namesOf(side as z.ZodType));
  return left == null || right == null ? null : new Set([...left, ...right]);
}

const named = new WeakMap<z.ZodType, ReadonlySet<string> | null>();

/**
 * The parameters of a request that its endpoint does not know, where the endpoint ignores them. Each parameter takes one
 * value.
 * @throws AppError 400 that names the first one and the nearest known, for all other endpoints, or one that is repeated
 */
export function checkParameters(
  { query: schema, ignoresUnknown }: Endpoint,
  given: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  if (schema === undefined) return [];
  let names = named.get(schema);
  if (names === undefined) {
    names = namesOf(schema);
    named.set(schema, names);
  }
  if (names === null) return [];
  const known = names;
  const repeated = Object.keys(given).find((name) => known.has(name) && (given[name]?.length ?? 0) > 1);
  if (repeated !== undefined)
    throw badRequest(
      `The parameter ${repeated} is given ${given[repeated]?.length} times and takes one value; give it once`,
    );
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  const [first] = unknown;
  if (first === undefined || ignoresUnknown === true) return unknown;
  const guess = nearest(first, known);
  throw badRequest(
    `There is no parameter ${first.slice(0, 100)} here; ${guess === undefined ? `known are ${[...known].join(', ')}` : `did you mean ${guess}?`}`,
  );
}
