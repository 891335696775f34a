import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../../../errors.ts';
import { compilePattern, type Pattern, TimeLimitError } from '../../../lib/detect/content/pattern.ts';
import { budgetOf } from '../../../lib/pace/budget.ts';
import { editDistance } from '../../../lib/stats/edit-distance.ts';
import { containsText } from '../../../lib/text/contains-text.ts';
import { compileSchema, SchemaError } from '../../json-schema/index.ts';
import type { EvaluatorKind, EvaluatorRules, RulesOf } from '../config/contract.ts';
import { type Judgement, scored, skipped } from './judgement.ts';
import { asJson, asText, partOf, type Sample } from './sample.ts';

/** Longest text that is searched or compared. */
const MAX_TEXT = 1_000_000;
/** Longest text whose characters are compared one by one, which takes the product of the lengths. */
const MAX_CHARACTERS = 4_000;
/** Most milliseconds that a search for a pattern may take. */
const PATTERN_MS = 200;

type Compare<K extends EvaluatorKind> = (config: RulesOf<K>['config'], sample: Sample) => Judgement;
/** Kinds that need nothing but the sample. */
export type Compared = Exclude<EvaluatorKind, 'judge' | 'guardrail' | 'webhook'>;

/** Judges by a rule, without a model. */
export function compare(rules: Extract<EvaluatorRules, { kind: Compared }>, sample: Sample): Judgement {
  const run = COMPARE[rules.kind] as (config: object, sample: Sample) => Judgement;
  return run(rules.config, sample);
}

/** @throws AppError 400 for a pattern or schema that cannot be used */
export function checkRules(rules: EvaluatorRules): void {
  if (rules.kind === 'regex') patternOf(rules.config);
  if (rules.kind === 'json_schema') schemaOf(rules.config);
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** The judged part of the output as text, or why there is none. */
export function outputText({ output }: Sample, path: string | undefined): string | Judgement {
  if (isMissing(output)) return skipped('there is no output');
  const part = partOf(output, path);
  if (part === undefined) return scored(false, `the output has no ${path}`);
  const text = asText(part);
  return text.length > MAX_TEXT ? skipped('the output has more than a million characters') : text;
}

const fold = (text: string, ignoreCase: boolean): string => (ignoreCase ? text.toLowerCase() : text);

const exact: Compare<'exact'> = ({ ignoreCase, path }, sample) => {
  const text = outputText(sample, path);
  if (typeof text !== 'string') return text;
  if (isMissing(sample.expected)) return skipped('there is no expected output');
  // Models answer with JSON as text: its order and blanks make no difference.
  if (typeof sample.expected === 'object')
    return scored(isDeepStrictEqual(asJson(partOf(sample.output, path)).value, sample.expected));
  const same = (value: string): string => fold(value.trim(), ignoreCase);
  return scored(same(text) === same(asText(sample.expected)));
};

const contains: Compare<'contains'> = ({ texts, mode, ignoreCase, path }, sample) => {
  const text = outputText(sample, path);
  if (typeof text !== 'string') return text;
  if (texts === undefined && isMissing(sample.expected)) return skipped('there is no expected output');
  const sought = texts ?? [asText(sample.expected)];
  const within = fold(text, ignoreCase);
  const found = sought.filter((one) => containsText(within, fold(one, ignoreCase)));
  const quote = (list: readonly string[]): string =>
    list
      .slice(0, 3)
      .map((one) => JSON.stringify(one.slice(0, 80)))
      .join(', ');
  if (mode === 'none') return scored(found.length === 0, found.length === 0 ? null : `found ${quote(found)}`);
  if (mode === 'any') return scored(found.length > 0, found.length > 0 ? `found ${quote(found)}` : null);
  const missing = sought.filter((one) => !found.includes(one));
  return scored(missing.length === 0, missing.length === 0 ? null : `without ${quote(missing)}`);
};

function patternOf({ pattern, ignoreCase }: RulesOf<'regex'>['config']): Pattern {
  try {
    return compilePattern(pattern, ignoreCase ? 'is' : 's');
  } catch (error) {
    throw badRequest(
      `config.pattern: ${error instanceof Error ? error.message : 'is not valid'}; the syntax is RE2's, without lookaround and backreferences`,
    );
  }
}

const regex: Compare<'regex'> = (config, sample) => {
  const text = outputText(sample, config.path);
  if (typeof text !== 'string') return text;
  try {
    return scored(patternOf(config).test(text, budgetOf(PATTERN_MS)) === (config.mode === 'matches'));
  } catch (error) {
    if (error instanceof TimeLimitError) return skipped(error.message);
    throw error;
  }
};

function schemaOf({ schema }: RulesOf<'json_schema'>['config']): ReturnType<typeof compileSchema> {
  try {
    return compileSchema(schema);
  } catch (error) {
    if (error instanceof SchemaError) throw badRequest(`config.schema: ${error.message}`);
    throw error;
  }
}

const jsonSchema: Compare<'json_schema'> = (config, { output }) => {
  if (isMissing(output)) return skipped('there is no output');
  const part = partOf(output, config.path);
  if (part === undefined) return scored(false, `the output has no ${config.path}`);
  const { ok, value } = asJson(part);
  if (!ok) return scored(false, 'the output is not JSON');
  const problem = schemaOf(config)(value);
  return scored(problem === null, problem);
};

/** The number that a value is; null for others, also for an empty text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const numeric: Compare<'numeric'> = ({ tolerance, relative, path }, { output, expected }) => {
  if (isMissing(output)) return skipped('there is no output');
  const wanted = numberOf(expected);
  if (wanted === null) return skipped('the expected output is not a number');
  const given = numberOf(partOf(output, path));
  if (given === null) return scored(false, 'the output is not a number');
  const difference = Math.abs(given - wanted);
  const allowed = relative ? tolerance * Math.abs(wanted) : tolerance;
  return scored(difference <= allowed, `differs by ${difference}`);
};

const similarity: Compare<'similarity'> = ({ method, path }, sample) => {
  const text = outputText(sample, path);
  if (typeof text !== 'string') return text.status === 'scored' ? scored(0, text.reason) : text;
  if (isMissing(sample.expected)) return skipped('there is no expected output');
  const expected = asText(sample.expected);
  if (method === 'words') return scored(sharedWords(text, expected));
  const longest = Math.max(text.length, expected.length);
  if (longest > MAX_CHARACTERS)
    return skipped(`a text has more than ${MAX_CHARACTERS} characters; choose the method words`);
  return scored(longest === 0 ? 1 : 1 - editDistance(text, expected) / longest);
};

/** F1 of the words that two texts share, each as often as it occurs in both. */
function sharedWords(a: string, b: string): number {
  const [own, other] = [wordsOf(a), wordsOf(b)];
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of own) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    shared++;
    left.set(word, count - 1);
  }
  const all = own.length + other.length;
  return all === 0 ? 1 : (2 * shared) / all;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const latency: Compare<'latency'> = ({ maxMs }, { latencyMs }) => {
  if (latencyMs == null) return skipped('there is no latency');
  return scored(maxMs === undefined ? latencyMs : latencyMs <= maxMs, `${Math.round(latencyMs)} ms`);
};

const cost: Compare<'cost'> = ({ maxUsd }, { costUsd }) => {
  if (costUsd == null) return skipped('the cost is not known');
  return scored(maxUsd === undefined ? costUsd : costUsd <= maxUsd, `$${costUsd}`);
};

const COMPARE: { readonly [K in Compared]: Compare<K> } = {
  exact,
  contains,
  regex,
  json_schema: jsonSchema,
  numeric,
  similarity,
  latency,
  cost,
};
