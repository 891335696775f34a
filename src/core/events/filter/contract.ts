import { z } from 'zod';
import {
  choiceOf,
  isAny,
  isComparison,
  patternsOf,
  type Range,
  rangesOf,
  textOf,
  type ValueTest,
} from '../../../lib/filter/values.ts';
import { FilterSyntaxError, parseTerms, type Term } from '../../../lib/filter-terms.ts';
import { OUTCOMES } from '../../../lib/guardrails/definition.ts';
import { nearest } from '../../../lib/nearest.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../values/contract.ts';

/** How a field is compared. Numbers are stored in the unit that `NUMBER_UNITS` gives. */
export type FieldType = 'text' | 'choice' | 'number';

type FieldDef = { readonly type: FieldType; readonly doc: string; readonly choices?: readonly string[] };

/** The fields of the filter language. `tag.NAME`, `metadata.NAME` and `score.NAME` join them. */
export const FILTER_FIELDS = {
  model: { type: 'text', doc: 'Model name as it was sent.' },
  provider: { type: 'text', doc: 'Provider of the model, by whatever name clients send it.' },
  environment: { type: 'text', doc: 'Environment.' },
  status: {
    type: 'choice',
    choices: [...EVENT_STATUSES, 'failed'],
    doc: 'Outcome; `failed` is an error, a timeout or a rate limit.',
  },
  error: {
    type: 'text',
    doc: 'Error group of failed events: the error code, or the status where there is no code.',
  },
  message: { type: 'text', doc: 'Error message.' },
  kind: { type: 'choice', choices: EVENT_KINDS, doc: 'Kind of span.' },
  user: { type: 'text', doc: 'End user.' },
  session: { type: 'text', doc: 'Session.' },
  key: { type: 'text', doc: 'Id of the API key that sent the event.' },
  name: { type: 'text', doc: 'Name of the span.' },
  operation: { type: 'text', doc: 'Operation, such as `chat`.' },
  agent: { type: 'text', doc: 'Agent.' },
  agentVersion: { type: 'text', doc: 'Version of the agent.' },
  tool: { type: 'text', doc: 'Tool.' },
  release: { type: 'text', doc: 'Release of the application.' },
  prompt: { type: 'text', doc: 'Name of the prompt template.' },
  promptVersion: { type: 'text', doc: 'Version of the prompt template.' },
  finish: { type: 'text', doc: 'Why the model stopped.' },
  sdk: { type: 'text', doc: 'Version of the SDK.' },
  costStatus: { type: 'choice', choices: COST_STATUSES, doc: 'How the cost is known.' },
  guardrail: {
    type: 'choice',
    choices: OUTCOMES,
    doc: 'What a guardrail did: `allow`, `flag`, `redact` or `block`.',
  },
  stream: { type: 'choice', choices: ['true', 'false'], doc: 'Whether the reply was streamed.' },
  latency: { type: 'number', doc: 'Latency in milliseconds; `2s` is 2000.' },
  ttft: { type: 'number', doc: 'Time to the first token in milliseconds.' },
  cost: { type: 'number', doc: 'Cost in USD.' },
  input: { type: 'number', doc: 'Input tokens, cached ones included; `10k` is 10000.' },
  output: { type: 'number', doc: 'Output tokens, reasoning included.' },
  cached: { type: 'number', doc: 'Input tokens read from a prompt cache.' },
  reasoning: { type: 'number', doc: 'Reasoning tokens.' },
  tokens: { type: 'number', doc: 'Input and output tokens together.' },
} as const satisfies Record<string, FieldDef>;
export type FilterField =
  | keyof typeof FILTER_FIELDS
  | `tag.${string}`
  | `metadata.${string}`
  | `score.${string}`
  | 'text';

/** Other names of fields: those of events, parameters and spans. Case and `_` make no difference. */
const ALIASES: Readonly<Record<string, keyof typeof FILTER_FIELDS>> = {
  env: 'environment',
  userid: 'user',
  sessionid: 'session',
  keyid: 'key',
  apikey: 'key',
  errorcode: 'error',
  errormessage: 'message',
  promptname: 'prompt',
  finishreason: 'finish',
  sdkversion: 'sdk',
  latencyms: 'latency',
  duration: 'latency',
  ttftms: 'ttft',
  costusd: 'cost',
  inputtokens: 'input',
  outputtokens: 'output',
  cachedinputtokens: 'cached',
  cachedtokens: 'cached',
  reasoningtokens: 'reasoning',
  totaltokens: 'tokens',
};

/**
 * A condition on one field. It holds if the value is one of `values`, matches one of `globs` (`*` is any characters,
 * `?` one), has `contains` in it, or lies in one of `ranges`; without any of them, if the field has a value. Globs and
 * `contains` are in lower case, and letters match in either case. `not` turns a condition round, and then it holds
 * without a value too. The field `text` looks into names, models and errors; `score.NAME` is the value of a score of the
 * event's trace, span or session, where true is 1 and false is 0.
 */
export type Condition = ValueTest & {
  readonly field: FilterField;
  readonly not: boolean;
};

/** Most characters of a filter, and most conditions and values in it. */
const MAX_LENGTH = 2_000;
const MAX_TERMS = 30;
const MAX_VALUES = 100;

const FIELD_NAMES = new Map<string, keyof typeof FILTER_FIELDS>([
  ...Object.keys(FILTER_FIELDS).map(
    (name) => [name.toLowerCase(), name as keyof typeof FILTER_FIELDS] as const,
  ),
  ...Object.entries(ALIASES),
]);

const NAMED: Readonly<Record<string, 'tag' | 'metadata' | 'score'>> = { t: 'tag', m: 'metadata', s: 'score' };

/** The field that a name stands for. @throws FilterSyntaxError with the most similar name */
export function fieldOf(name: string): Exclude<FilterField, 'text'> {
  const [, kind = '', own] = /^(tags?|metadata|meta|scores?)\.(.+)$/is.exec(name) ?? [];
  if (own !== undefined) return `${NAMED[kind.charAt(0).toLowerCase()] ?? 'tag'}.${own}`;
  if (/^scores?$/i.test(name))
    throw new FilterSyntaxError('name the score, such as score.helpful:true or score.helpful<0.5');
  if (/^tags?$/i.test(name)) throw new FilterSyntaxError('name the tag, such as tag.team:support');
  if (/^meta(data)?$/i.test(name))
    throw new FilterSyntaxError('name the key of the metadata, such as metadata.region:eu');
  const found = FIELD_NAMES.get(name.toLowerCase().replaceAll('_', ''));
  if (found !== undefined) return found;
  const similar = nearest(name, [...FIELD_NAMES.values()]);
  const hint =
    similar === undefined
      ? `fields are ${Object.keys(FILTER_FIELDS).join(', ')}, tag.NAME, metadata.NAME and score.NAME.`
      : `did you mean ${similar}?`;
  throw new FilterSyntaxError(
    `there is no field "${name}"; ${hint} A text with ":" in it is written in quotes`,
  );
}

/** What a filter says. @throws FilterSyntaxError */
export function parseFilter(text: string): Condition[] {
  if (text.length > MAX_LENGTH)
    throw new FilterSyntaxError(`it is longer than ${MAX_LENGTH.toLocaleString('en-US')} characters`);
  const terms = parseTerms(text);
  if (terms.length > MAX_TERMS) throw new FilterSyntaxError(`it has more than ${MAX_TERMS} parts`);
  return terms.map(toCondition);
}

/** What a term says. @throws FilterSyntaxError */
export function toCondition(term: Term): Condition {
  const { not, values } = term;
  if (term.field === null) {
    const meant = withEquals(term);
    return meant === null ? { field: 'text', not, ...textOf(term) } : toCondition(meant);
  }
  if (values.length > MAX_VALUES)
    throw new FilterSyntaxError(`${term.field} has more than ${MAX_VALUES} values`);
  const field = fieldOf(term.field);
  if (isAny(term)) return { field, not };
  const def: FieldDef | undefined = FILTER_FIELDS[field as keyof typeof FILTER_FIELDS];
  if (def?.type === 'number' || (def === undefined && isComparison(term)))
    return { field, not, ranges: rangesOf(field, term, (text) => numberOf(field, text)) };
  if (field.startsWith('score.')) return { field, not, ...scoreValues(field, term) };
  if (isComparison(term)) throw new FilterSyntaxError(`${field} is not a number; write ${field}:VALUE`);
  if (def?.type === 'choice')
    return { field, not, values: values.map(({ text }) => choiceOf(field, def.choices ?? [], text)) };
  return { field, not, ...patternsOf(values) };
}

/** `tokens=0` means `tokens:0`, where there is such a field; null for other texts. */
function withEquals(term: Term): Term | null {
  const [value] = term.values;
  const [, name = '', text = ''] = /^([\w.]+)=(.+)$/s.exec(value?.text ?? '') ?? [];
  if (value?.isQuoted !== false || text === '') return null;
  const isField =
    FIELD_NAMES.has(name.toLowerCase().replaceAll('_', '')) || /^(tag|metadata|score)\../i.test(name);
  return isField ? { ...term, field: name, values: [{ text, isQuoted: false }] } : null;
}

/** A number or a range of a score; also below 0. */
const SCORE_RANGE = /^(-?\d+(?:\.\d+)?)(?:\.\.(-?\d+(?:\.\d+)?))?$/;

/** What a score may be: words, and numbers or ranges of them. @throws FilterSyntaxError */
function scoreValues(field: string, { values }: Term): Pick<Condition, 'values' | 'globs' | 'ranges'> {
  const ranges: Range[] = [];
  for (const { text, isQuoted } of values) {
    const [, from, to = from] = (isQuoted ? null : SCORE_RANGE.exec(text)) ?? [];
    if (from === undefined) continue;
    if (Number(from) > Number(to))
      throw new FilterSyntaxError(`${field}: "${text}" is no range; the smaller number comes first`);
    ranges.push({ min: Number(from), max: Number(to) });
  }
  return { ...patternsOf(values), ...(ranges.length === 0 ? {} : { ranges }) };
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1_000,
  min: 60_000,
  k: 1_000,
  m: 1_000_000,
};

function numberOf(field: string, text: string): number {
  if (field.startsWith('score.') && /^-\d+(\.\d+)?$/.test(text)) return Number(text);
  const [, number = '', unit = ''] = /^\$?(\d+(?:\.\d+)?)(ms|s|min|k|m)?$/i.exec(text) ?? [];
  const scale = UNITS[unit.toLowerCase()];
  if (number === '' || scale === undefined || (unit !== '' && isTime(field) !== /^(ms|s|min)$/i.test(unit)))
    throw new FilterSyntaxError(`${field}: "${text}" is not a number; write ${exampleOf(field)}`);
  return Number(number) * scale;
}

const isTime = (field: string): boolean => field === 'latency' || field === 'ttft';
const exampleOf = (field: string): string =>
  isTime(field)
    ? `${field}>2s or ${field}:100..500`
    : field === 'cost'
      ? 'cost>0.05 or cost:0.01..0.10'
      : field.startsWith('score.')
        ? `${field}<0.5 or ${field}:0.2..0.5`
        : `${field}>1000 or ${field}:100..500`;

/** A filter as text, which is kept as it was written. */
export const filterText = z
  .string()
  .superRefine((text, ctx) => {
    try {
      parseFilter(text);
    } catch (error) {
      if (!(error instanceof FilterSyntaxError)) throw error;
      ctx.addIssue({ code: 'custom', message: error.message });
    }
  })
  .describe(
    'Filter: all parts must hold. `model:gpt-4o` is, `model:a,b` is one of, `-model:a` is not, `model:gpt-*` starts with, `user:*` has one, `latency>2s`, `cost:0.01..0.10`, `status:failed`, `tag.team:search`, `metadata.customer:acme`, `score.helpful<0.5`; a word or a "quoted text" is looked for in names, models and errors.',
  );

/** The parameter `filter`: its conditions, undefined if it is empty. */
export const filterParam = filterText
  .transform((text): readonly Condition[] | undefined => (text.trim() === '' ? undefined : parseFilter(text)))
  .optional();
