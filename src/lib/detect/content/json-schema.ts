import { type Budget, budgetOf } from '../../pace/budget.ts';
import { compilePattern, type Pattern, TimeLimitError } from './pattern.ts';
import { patternSize } from './pattern-size.ts';

type Json = unknown;
type Schema = Readonly<Record<string, unknown>> | boolean;

/** Where a value does not fit a schema: a JSON pointer into the value, and the keyword that it breaks. */
export type SchemaProblem = { readonly path: string; readonly keyword: string };

export type JsonSchema = {
  /**
   * The first problems of a value, at most 20; empty if it fits.
   * @throws TimeLimitError if the schema asks for more than 100,000 steps or 50 ms, as nested alternatives can
   */
  check(value: Json): SchemaProblem[];
};

const MAX_STEPS = 100_000;
/** Most milliseconds that a check may take. */
const BUDGET_MS = 50;
/** Most parts of all patterns together. */
const MAX_PATTERNS = 10_000;
const MAX_DEPTH = 200;
const MAX_PROBLEMS = 20;

/** Keywords that change what a schema means and are not understood: better refused than ignored. */
const UNKNOWN = [
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentSchema',
];

/**
 * Reads a JSON Schema: the keywords of draft 2020-12 about types, numbers, strings, arrays, objects and combinations,
 * with references inside of the schema. Patterns are RE2 and steps are counted, so that no schema and no value can hold
 * up the process: a schema comes from a user, and the usual validators would run its patterns with backtracking.
 * @throws Error that says what is wrong with the schema
 */
export function readJsonSchema(root: Schema): JsonSchema {
  if (patternsSize(root) > MAX_PATTERNS) throw new Error('the patterns of the schema are too large together');
  const patterns = new Map<string, Pattern>();
  for (const source of patternsOf(root, 0))
    if (!patterns.has(source)) patterns.set(source, compilePattern(source));
  return {
    check(value) {
      const run: Run = { root, patterns, budget: budgetOf(BUDGET_MS), steps: 0, depth: 0 };
      return problemsOf(run, root, value, '').slice(0, MAX_PROBLEMS);
    },
  };
}

/** Parts of all patterns of a schema together. @throws Error for what a schema must not have */
export const patternsSize = (root: unknown): number =>
  [...new Set(patternsOf(root, 0))].reduce((sum, source) => sum + patternSize(source), 0);

/** All patterns of a schema. @throws Error for what a schema must not have */
function patternsOf(schema: Json, depth: number): string[] {
  if (depth > MAX_DEPTH) throw new Error(`the schema is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(schema)) return schema.flatMap((one) => patternsOf(one, depth + 1));
  if (!isObject(schema)) return [];
  const unknown = UNKNOWN.find((keyword) => keyword in schema);
  if (unknown !== undefined) throw new Error(`the keyword ${unknown} is not supported`);
  const { $ref, pattern, patternProperties } = schema;
  if (typeof $ref === 'string' && !$ref.startsWith('#'))
    throw new Error(`$ref ${$ref}: only references inside of the schema, such as #/$defs/name`);
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(patternProperties) ? Object.keys(patternProperties) : []),
    ...Object.entries(schema).flatMap(([keyword, inner]) =>
      keyword === 'enum' || keyword === 'const' || keyword === 'default' || keyword === 'examples'
        ? []
        : patternsOf(inner, depth + 1),
    ),
  ];
}

type Run = {
  readonly root: Schema;
  readonly patterns: Map<string, Pattern>;
  readonly budget: Budget;
  steps: number;
  depth: number;
};

function problemsOf(run: Run, schema: Json, value: Json, path: string): SchemaProblem[] {
  run.steps++;
  if (run.steps > MAX_STEPS || run.depth > MAX_DEPTH)
    throw new TimeLimitError('the schema takes too many steps');
  if (run.budget.isSpent()) throw tooSlow();
  if (schema === true || schema === undefined) return [];
  if (schema === false) return [{ path, keyword: 'false' }];
  if (!isObject(schema)) return [];
  run.depth++;
  const problems = [
    ...referenced(run, schema, value, path),
    ...simple(run, schema, value).map((keyword) => ({ path, keyword })),
    ...combined(run, schema, value, path),
    ...(Array.isArray(value) ? ofItems(run, schema, value, path) : []),
    ...(isObject(value) ? ofProperties(run, schema, value, path) : []),
  ];
  run.depth--;
  return problems;
}

function referenced(run: Run, { $ref }: Fields, value: Json, path: string): SchemaProblem[] {
  if (typeof $ref !== 'string') return [];
  let target: Json = run.root;
  for (const step of $ref.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isObject(target) || Array.isArray(target) ? (target as Fields)[name] : undefined;
  }
  return target === undefined ? [{ path, keyword: '$ref' }] : problemsOf(run, target, value, path);
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

const hasType = (value: Json, type: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

/** The keywords about one value that it breaks. */
function simple(run: Run, schema: Fields, value: Json): string[] {
  const broken: string[] = [];
  const need = (keyword: string, holds: boolean): void => {
    if (!holds) broken.push(keyword);
  };
  const { type } = schema;
  if (type !== undefined)
    need(
      'type',
      [type].flat().some((one) => hasType(value, one)),
    );
  if (Array.isArray(schema.enum)) need('enum', isAmong(schema.enum, value));
  if ('const' in schema) need('const', isAmong([schema.const], value));
  if (typeof value === 'number') {
    const { multipleOf } = schema;
    need('minimum', value >= (numberOf(schema.minimum) ?? Number.NEGATIVE_INFINITY));
    need('maximum', value <= (numberOf(schema.maximum) ?? Number.POSITIVE_INFINITY));
    need('exclusiveMinimum', value > (numberOf(schema.exclusiveMinimum) ?? Number.NEGATIVE_INFINITY));
    need('exclusiveMaximum', value < (numberOf(schema.exclusiveMaximum) ?? Number.POSITIVE_INFINITY));
    if (typeof multipleOf === 'number')
      need('multipleOf', Number.isInteger(Number((value / multipleOf).toFixed(9))));
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    need('minLength', length >= (numberOf(schema.minLength) ?? 0));
    need('maxLength', length <= (numberOf(schema.maxLength) ?? Number.POSITIVE_INFINITY));
    if (typeof schema.pattern === 'string') need('pattern', matches(run, schema.pattern, value));
  }
  return broken;
}

const tooSlow = (): Error => new TimeLimitError(`the schema took longer than ${BUDGET_MS} ms`);

const matches = (run: Run, source: string, text: string): boolean =>
  run.patterns.get(source)?.test(text, run.budget) ?? false;

function isAmong(listed: readonly Json[], value: Json): boolean {
  if (listed.includes(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const text = canonical(value);
  return listed.some((one) => typeof one === 'object' && canonical(one) === text);
}

const canonical = (value: Json): string =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

function combined(run: Run, schema: Fields, value: Json, path: string): SchemaProblem[] {
  const fits = (one: Json): boolean => problemsOf(run, one, value, path).length === 0;
  const list = (keyword: string): readonly Json[] =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as Json[]) : [];
  const broken: string[] = [];
  if (schema.anyOf !== undefined && !list('anyOf').some(fits)) broken.push('anyOf');
  if (schema.oneOf !== undefined && list('oneOf').filter(fits).length !== 1) broken.push('oneOf');
  if (schema.not !== undefined && fits(schema.not)) broken.push('not');
  const branch = schema.if === undefined ? undefined : fits(schema.if) ? schema.then : schema.else;
  return [
    ...broken.map((keyword) => ({ path, keyword })),
    ...list('allOf').flatMap((one) => problemsOf(run, one, value, path)),
    ...(branch === undefined ? [] : problemsOf(run, branch, value, path)),
  ];
}

function ofItems(run: Run, schema: Fields, value: readonly Json[], path: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const need = (keyword: string, holds: boolean): void => {
    if (!holds) problems.push({ path, keyword });
  };
  need('minItems', value.length >= (numberOf(schema.minItems) ?? 0));
  need('maxItems', value.length <= (numberOf(schema.maxItems) ?? Number.POSITIVE_INFINITY));
  if (schema.uniqueItems === true) need('uniqueItems', new Set(value.map(canonical)).size === value.length);
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  for (const [i, item] of value.entries()) {
    const inner = i < first.length ? first[i] : schema.items;
    if (inner !== undefined) problems.push(...problemsOf(run, inner, item, `${path}/${i}`));
    if (problems.length >= MAX_PROBLEMS) break;
  }
  if (schema.contains !== undefined) {
    const found = value.filter((item) => problemsOf(run, schema.contains, item, path).length === 0).length;
    need(
      'contains',
      found >= (numberOf(schema.minContains) ?? 1) && found <= (numberOf(schema.maxContains) ?? value.length),
    );
  }
  return problems;
}

function ofProperties(run: Run, schema: Fields, value: Fields, path: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const names = Object.keys(value);
  if (names.length < (numberOf(schema.minProperties) ?? 0)) problems.push({ path, keyword: 'minProperties' });
  if (names.length > (numberOf(schema.maxProperties) ?? names.length))
    problems.push({ path, keyword: 'maxProperties' });
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(value, String(name))) problems.push({ path, keyword: 'required' });
  }
  const own = isObject(schema.properties) ? schema.properties : {};
  const byPattern = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  for (const name of names) {
    if (problems.length >= MAX_PROBLEMS) break;
    const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const rules = byPattern.filter(([source]) => matches(run, source, name)).map(([, rule]) => rule);
    if (Object.hasOwn(own, name)) rules.push(own[name]);
    if (rules.length === 0 && schema.additionalProperties !== undefined) {
      // A name of its own may be personal data, so the problem is told of the object.
      if (problemsOf(run, schema.additionalProperties, value[name], path).length > 0)
        problems.push({ path, keyword: 'additionalProperties' });
    }
    for (const rule of rules) problems.push(...problemsOf(run, rule, value[name], place));
    if (schema.propertyNames !== undefined && problemsOf(run, schema.propertyNames, name, path).length > 0)
      problems.push({ path, keyword: 'propertyNames' });
  }
  return problems;
}
