import type { z } from 'zod';
import { badRequest } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { fieldsOf, unknownName } from './field-names.ts';

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
    names = fieldsOf(schema);
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
  throw badRequest(unknownName('parameter', first, { place: 'here', known }));
}
