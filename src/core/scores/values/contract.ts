import { z } from 'zod';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';
import type { Condition } from '../../events/filter/contract.ts';

/** What a value is: a number, true or false, or one of some words. */
export const SCORE_TYPES = ['numeric', 'boolean', 'category'] as const;
export type ScoreType = (typeof SCORE_TYPES)[number];

/** Which values are good. */
export const SCORE_DIRECTIONS = ['higher', 'lower', 'none'] as const;

/** Who gave a score. */
export const SCORE_SOURCES = ['api', 'human', 'evaluator'] as const;
export type ScoreSource = (typeof SCORE_SOURCES)[number];

/** Most definitions of a project. */
export const MAX_DEFINITIONS = 200;
/** Most categories of a definition. */
export const MAX_CATEGORIES = 50;

/** Names have no `:` and `=`, which stand in measures such as `score:tone=polite`. */
export const scoreName = z
  .string()
  .regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,59}$/u,
    'must be 1 to 60 letters, digits, blanks, dots, dashes and underscores, the first a letter or digit',
  );

export const categoryName = lineOfText(100);

/** A number, a boolean, or the name of a category. */
export const scoreValue = z.union([z.number(), z.boolean(), categoryName], {
  error: 'must be a number, true or false, or a text of 1 to 100 characters',
});
export type ScoreValue = z.infer<typeof scoreValue>;

/** The part of a definition that says which values are allowed. */
export type ValueRules = {
  readonly type: ScoreType;
  readonly min: number | null;
  readonly max: number | null;
  readonly categories: readonly string[] | null;
};

/** The type that a value has by itself. */
export const typeOf = (value: ScoreValue): ScoreType =>
  typeof value === 'number' ? 'numeric' : typeof value === 'boolean' ? 'boolean' : 'category';

/** What is wrong with a value; null if nothing is. */
export function problemOf(value: ScoreValue, { type, min, max, categories }: ValueRules): string | null {
  if (typeOf(value) !== type)
    return type === 'numeric'
      ? 'must be a number'
      : type === 'boolean'
        ? 'must be true or false'
        : `must be ${categories === null ? 'a text' : `one of ${categories.join(', ')}`}`;
  if (typeof value === 'number') {
    if (min !== null && value < min) return `must be at least ${min}`;
    if (max !== null && value > max) return `must be at most ${max}`;
  }
  if (typeof value === 'string' && categories !== null && !categories.includes(value))
    return `must be one of ${categories.join(', ')}`;
  return null;
}

/** Fields of the filter language that scores keep of what they are about, besides `tag.NAME`. */
export const SCORE_FILTER_FIELDS = [
  'model',
  'provider',
  'environment',
  'status',
  'error',
  'kind',
  'user',
  'session',
  'key',
  'operation',
  'agent',
  'agentVersion',
  'tool',
  'release',
  'prompt',
  'promptVersion',
  'finish',
] as const;
export type ScoreFilterField = (typeof SCORE_FILTER_FIELDS)[number];

/** Whether scores can be filtered by a condition. */
export const isScoreCondition = ({ field, ranges }: Condition): boolean =>
  ranges === undefined && (field.startsWith('tag.') || SCORE_FILTER_FIELDS.some((known) => known === field));
