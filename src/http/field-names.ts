import { z } from 'zod';
import { nearest } from '../lib/nearest.ts';

/** The fields that a schema of an object names; null where it accepts any, as a loose object does. */
export function fieldsOf(schema: z.ZodType): ReadonlySet<string> | null {
  if (schema instanceof z.ZodObject)
    return schema.def.catchall instanceof z.ZodUnknown ? null : new Set(Object.keys(schema.shape));
  if (!(schema instanceof z.ZodIntersection)) return null;
  const [left, right] = [schema.def.left, schema.def.right].map((side) => fieldsOf(side as z.ZodType));
  return left == null || right == null ? null : new Set([...left, ...right]);
}

/** The fields that a schema names for what is at a path inside of its value; none where that depends on the value. */
export function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): ReadonlySet<string> {
  let at: z.ZodType | undefined = schema;
  for (const step of path) at = partOf(at, step);
  return (at === undefined ? null : fieldsOf(unwrap(at))) ?? new Set();
}

function partOf(schema: z.ZodType | undefined, step: PropertyKey): z.ZodType | undefined {
  if (schema === undefined) return undefined;
  const of = unwrap(schema);
  if (of instanceof z.ZodArray) return of.element as z.ZodType;
  return of instanceof z.ZodObject ? (of.shape[String(step)] as z.ZodType | undefined) : undefined;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? unwrap(schema.in as z.ZodType) : schema;
}

/** That there is no such parameter or field, with the nearest name that there is, or all of them. */
export function unknownName(
  noun: string,
  given: string,
  { place, known }: { readonly place: string; readonly known: ReadonlySet<string> },
): string {
  const guess = nearest(given, known);
  const mend = guess === undefined ? `known are ${[...known].join(', ')}` : `did you mean ${guess}?`;
  return `There is no ${noun} ${given.slice(0, 100)} ${place}; ${known.size === 0 ? 'leave it out' : mend}`;
}
