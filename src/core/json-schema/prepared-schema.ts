import type { Schema } from '@cfworker/json-schema';
import { compilePattern, type Pattern, PatternSizeError } from '../../lib/detect/content/pattern.ts';
import { patternSize } from '../../lib/detect/content/pattern-size.ts';
import type { Budget } from '../../lib/pace/budget.ts';
import { isChecked, type Test } from './formats.ts';

/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'type']);
/** Maps whose keys are names and not keywords. */
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords of draft 2019-09, and the names under which the validator keeps what it found. */
const DROPPED: ReadonlySet<string> = new Set([
  '$recursiveRef',
  '$recursiveAnchor',
  '$schema',
  '$id',
  'id',
  '__absolute_uri__',
  '__absolute_ref__',
  '__absolute_recursive_ref__',
]);
const MAX_PATTERN = 1_000;
/** Most parts of all patterns together, with their repetitions written out. */
const MAX_PATTERNS = 10_000;

const isList = Array.isArray;
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !isList(value);
const isTypes = (value: unknown): boolean =>
  typeof value === 'string' || (isList(value) && value.every((each) => typeof each === 'string'));
const isNames = (value: unknown): boolean => isList(value) && isTypes(value);
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isMap(value);
const isSchemas = (value: unknown): boolean => isList(value) && value.every(isSchema);

const every = (test: (value: unknown) => boolean, names: string): [string, (value: unknown) => boolean][] =>
  names.split(' ').map((name) => [name, test]);
/** What the validator takes for granted of a keyword's value. */
const SHAPES = new Map([
  ...every((value) => typeof value === 'string', '$ref pattern'),
  ...every(isTypes, 'type'),
  ...every(isList, 'enum'),
  ...every(isNames, 'required'),
  ...every(isMap, 'properties $defs definitions dependentSchemas dependentRequired'),
  ...every(isSchemas, 'allOf anyOf oneOf prefixItems'),
  ...every(isSchema, 'not if then else contains additionalProperties propertyNames items'),
  ...every(isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...every(isNumber, 'minLength maxLength minItems maxItems minProperties maxProperties'),
]);

type Json = Record<string, unknown>;
type Walk = { readonly patterns: Map<string, Test>; size: number; readonly budget: () => Budget };

/**
 * A copy of a schema whose patterns are formats, so that they are matched in linear time.
 * @param budget of the check that is running; a match that exceeds it throws TimeLimitError
 */
export function preparedSchema(
  schema: Json,
  budget: () => Budget,
): { readonly schema: Schema; readonly patterns: ReadonlyMap<string, Test> } {
  const walk: Walk = { patterns: new Map(), size: 0, budget };
  return { schema: node(schema, walk) as Schema, patterns: walk.patterns };
}

function node(given: unknown, walk: Walk): unknown {
  if (Array.isArray(given)) return given.map((each) => node(each, walk));
  if (typeof given !== 'object' || given === null) return given;
  const made: Json = {};
  for (const [key, value] of Object.entries(given)) {
    if (key === 'patternProperties')
      throw new Error('patternProperties is not supported; use additionalProperties');
    if (SHAPES.get(key)?.(value) === false) throw new Error(`the value of ${key} is not valid`);
    if (DROPPED.has(key) || (key === 'format' && !isChecked(value)) || key === 'pattern') continue;
    if (DATA.has(key)) made[key] = value;
    else if (MAPS.has(key) && typeof value === 'object' && value !== null) made[key] = map(value, walk);
    else made[key] = node(value, walk);
  }
  const { pattern } = given as Json;
  if (typeof pattern === 'string') addPattern(made, pattern, walk);
  return made;
}

function map(given: object, walk: Walk): Json {
  const made: Json = Object.create(null);
  for (const [key, value] of Object.entries(given)) made[key] = node(value, walk);
  return made;
}

function addPattern(made: Json, pattern: string, walk: Walk): void {
  const { patterns, budget } = walk;
  if (pattern.length > MAX_PATTERN)
    throw new Error(`a pattern has more than ${MAX_PATTERN.toLocaleString('en-US')} characters`);
  const name = `pattern ${pattern}`;
  if (!patterns.has(name)) {
    walk.size += patternSize(pattern);
    if (walk.size > MAX_PATTERNS) throw new Error('its patterns are too large together');
    const compiled = compiledPattern(pattern);
    patterns.set(name, (text) => compiled.test(text, budget()));
  }
  if (made.format === undefined) made.format = name;
  else made.allOf = [...(Array.isArray(made.allOf) ? made.allOf : []), { format: name }];
}

function compiledPattern(pattern: string): Pattern {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternSizeError) throw error;
    throw new Error(
      `the pattern ${pattern.slice(0, 100)} is not valid, or uses lookaround or backreferences, which are not supported`,
    );
  }
}
