import { termOf } from '../../lib/filter-terms.ts';
import { quoted } from '../../lib/text/quoted.ts';
import type { ContrastDimension } from '../events/index.ts';
import type { CauseValue } from './find-causes.ts';

/** Field of the filter language and noun of a dimension. */
const NAMES: Readonly<
  Record<Exclude<ContrastDimension, `tag:${string}`>, readonly [field: string, noun: string]>
> = {
  release: ['release', 'release'],
  model: ['model', 'model'],
  promptVersion: ['promptVersion', 'prompt'],
  promptName: ['prompt', 'prompt'],
  agent: ['agent', 'agent'],
  tool: ['tool', 'tool'],
  userId: ['user', 'user'],
  keyId: ['key', 'API key'],
  environment: ['environment', 'environment'],
  provider: ['provider', 'provider'],
  errorCode: ['error', 'error'],
};

const isTag = (dimension: ContrastDimension): dimension is `tag:${string}` => dimension.startsWith('tag:');
const tagOf = (dimension: string): string => dimension.slice('tag:'.length);
const fieldOf = (dimension: ContrastDimension): string =>
  isTag(dimension) ? `tag.${tagOf(dimension)}` : NAMES[dimension][0];

/** The calls with a value, in the filter language. Versions of prompts are `NAME@VERSION`. */
export function filterOf(dimension: ContrastDimension, value: string | null): string {
  if (value === null) return `-${fieldOf(dimension)}:*`;
  if (dimension !== 'promptVersion') return termOf(fieldOf(dimension), value);
  const at = value.lastIndexOf('@');
  return `${termOf('prompt', value.slice(0, at))} ${termOf('promptVersion', value.slice(at + 1))}`;
}

/** A value in words: `model gpt-4o`, `tag team=search`. @param names of API keys by id */
export function labelOf({ dimension, value }: CauseValue, names: ReadonlyMap<string, string>): string {
  const [noun, name] = partsOf({ dimension, value }, names);
  return `${noun} ${name}`;
}

/** The same in a sentence, where a name must not read as a part of it: `model “gpt-4o”`. */
export function quotedLabelOf(one: CauseValue, names: ReadonlyMap<string, string>): string {
  const [noun, name] = partsOf(one, names);
  return `${noun} ${quoted(name)}`;
}

const partsOf = (
  { dimension, value }: CauseValue,
  names: ReadonlyMap<string, string>,
): readonly [noun: string, name: string] =>
  isTag(dimension)
    ? ['tag', `${tagOf(dimension)}=${value}`]
    : [NAMES[dimension][1], displayOf(dimension, value, names)];

/** A value for people: API keys by their name. */
export const displayOf = (
  dimension: ContrastDimension,
  value: string | null,
  names: ReadonlyMap<string, string>,
): string => (value === null ? '(none)' : dimension === 'keyId' ? (names.get(value) ?? value) : value);
