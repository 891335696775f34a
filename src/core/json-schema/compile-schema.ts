import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import { TimeLimitError } from '../../lib/detect/content/pattern.ts';
import { jsonProblem } from '../../lib/json-limits.ts';
import { type Budget, budgetOf } from '../../lib/pace/budget.ts';
import { withFormats } from './formats.ts';
import { preparedSchema } from './prepared-schema.ts';

/** A JSON Schema that cannot be used. The message says what is wrong and how to fix it. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** Says what is wrong with a JSON value, at most five problems in one text; null if it matches the schema. */
export type SchemaCheck = (value: unknown) => string | null;

/** Most characters of a schema, as JSON. */
export const MAX_SCHEMA = 64_000;
const LIMITS = { maxDepth: 32, maxKeys: 2_000 };
/** Most comparisons of parts of one value with subschemas and listed values. */
const MAX_STEPS = 50_000;
/** Most milliseconds that the check of one value may take: a step may compare large values or match a pattern. */
const MAX_MS = 200;
const TOO_LARGE = 'it is too large or too deep to be checked against the schema';
const MAX_PROBLEMS = 5;
const MAX_TEXT = 300;
/** Longest array of a value if the schema has `uniqueItems`, which compares each pair. */
const MAX_UNIQUE = 500;
/** Most parts of items that such an array may make the validator compare. */
const MAX_COMPARED = 5_000_000;

/**
 * Reads a JSON Schema (draft 2020-12) of unknown origin. Checks take bounded time, whatever the schema and the value are:
 * patterns are matched in linear time (RE2's syntax, without lookaround and backreferences), references stay within the
 * schema, and the number of comparisons and the time are limited.
 * @throws SchemaError for what is no schema, and for schemas that are too large or use `patternProperties`
 */
export function compileSchema(schema: unknown): SchemaCheck {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new SchemaError('The schema must be a JSON object');
  const problem = jsonProblem(schema, LIMITS, 'schema');
  if (problem !== null) throw new SchemaError(`The schema cannot be used: ${problem}`);
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA)
    throw new SchemaError(`The schema has more than ${MAX_SCHEMA.toLocaleString('en-US')} characters`);
  const steps: Steps = { left: 0, budget: budgetOf(0) };
  const prepared = prepare(text, steps);
  const hasUnique = text.includes('"uniqueItems"');
  return (value) => {
    const unique = hasUnique ? measureArrays(value) : null;
    if (unique !== null && unique.longest > MAX_UNIQUE)
      return `a list has more than ${MAX_UNIQUE} items, which is too many for uniqueItems`;
    if (unique !== null && unique.compared > MAX_COMPARED) return TOO_LARGE;
    steps.left = MAX_STEPS;
    steps.budget = budgetOf(MAX_MS);
    try {
      return withFormats(prepared.patterns, () => {
        const { valid, errors } = validate(value, prepared.schema, '2020-12', prepared.lookup, false);
        return valid ? null : problemsOf(errors);
      });
    } catch (error) {
      // The limit of steps or time, or references in a circle. Others are of keywords that are not what they should be.
      if (error instanceof RangeError || error instanceof TimeLimitError) return TOO_LARGE;
      return 'the schema is not valid, so nothing can be checked against it';
    }
  };
}

type Prepared = ReturnType<typeof preparedSchema> & { readonly lookup: Record<string, Schema | boolean> };
/** What a check may still take: comparisons, and time. */
type Steps = { left: number; budget: Budget };

function prepare(text: string, steps: Steps): Prepared {
  try {
    const prepared = preparedSchema(JSON.parse(text), () => steps.budget);
    const lookup = dereference(prepared.schema);
    for (const node of Object.values(lookup)) {
      if (typeof node === 'boolean') continue;
      if (node.__absolute_ref__ !== undefined && lookup[node.__absolute_ref__] === undefined)
        throw new SchemaError(`The schema has nothing at ${String(node.$ref)}; define it under $defs`);
      countReads(node, steps);
    }
    return { ...prepared, lookup };
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    throw new SchemaError(`The schema cannot be used: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

/** The validator reads this keyword of a subschema each time that it compares something with it. */
function countReads(node: Schema, steps: Steps): void {
  Object.defineProperty(node, '$recursiveAnchor', {
    enumerable: false,
    get: () => {
      if (--steps.left < 0 || steps.budget.isSpent()) throw new RangeError('too many steps');
      return undefined;
    },
  });
  const { enum: listed } = node;
  if (listed === undefined) return;
  Object.defineProperty(node, 'enum', {
    get: () => {
      steps.left -= listed.length;
      return listed;
    },
  });
}

type Measured = { readonly parts: number; readonly longest: number; readonly compared: number };

/** The longest array in a value, and the most parts that comparing the items of one in pairs takes. */
function measureArrays(value: unknown): Measured {
  if (typeof value !== 'object' || value === null) return { parts: 1, longest: 0, compared: 0 };
  const own = Array.isArray(value) ? value.length : 0;
  let [parts, longest, compared] = [1, own, 0];
  for (const item of Object.values(value).map(measureArrays)) {
    parts += item.parts;
    longest = Math.max(longest, item.longest);
    compared = Math.max(compared, item.compared);
  }
  return { parts, longest, compared: Math.max(compared, own * parts) };
}

const SUMMARY = /(match (every sub|additional properties )?schema|had errors)\.$/;

/** The errors at the leaves: those above only repeat that something below is wrong. */
function problemsOf(errors: readonly OutputUnit[]): string {
  const leaves = errors.filter(({ error }) => !SUMMARY.test(error));
  const texts = (leaves.length > 0 ? leaves : errors).map(
    ({ instanceLocation, error }) =>
      `${placeOf(instanceLocation)}${error.replace(/\.$/, '').replace(/format "pattern (.*)"$/s, 'pattern $1')}`,
  );
  const shown = [...new Set(texts)].slice(0, MAX_PROBLEMS);
  return shown.map((text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)).join('; ');
}

const placeOf = (location: string): string => (location === '#' ? '' : `${location.slice(1)}: `);
