import type { ParsedEvent } from '../../../core/events/index.ts';
import { isCallKind } from '../map/kind-of.ts';
import * as map from '../map/mapping.ts';
import { isKeptName } from '../map/read-metadata.ts';
import type { AttributeValue } from '../read/attributes.ts';
import type { Rule } from '../read/source.ts';
import type { Source } from '../read/span.ts';

/** What a span's `note` recorded while its event was created: a field and its source. */
export type Note = { readonly field: string; readonly source: Source };

const isRule = (value: unknown): value is Rule<unknown> =>
  typeof value === 'object' && value !== null && 'from' in value && 'field' in value;

const RULES = [...Object.values<unknown>(map), ...Object.values<unknown>(map.TOKENS)].filter(isRule);

/** The field that each attribute can be read into. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  [...RULES, { field: 'finish_reason', from: map.FINISH_REASONS }]
    .flatMap(({ field, from }) =>
      from.flatMap((source): [string, string][] => {
        if (typeof source === 'string') return [[source, field]];
        return source.at === 'seconds' ? [[source.name, field]] : [];
      }),
    )
    // The first rule that reads an attribute is the one that names it.
    .reverse(),
);

/** Fields that are read of calls only. */
const OF_CALLS = new Set([
  'provider',
  'model',
  'ttft_ms',
  'stream',
  'cost_usd',
  'prompt_name',
  'prompt_version',
]);

export const isOfCalls = (field: string): boolean => OF_CALLS.has(field) || field.endsWith('_tokens');

/** Attributes whose meaning is known, and which are left out on purpose. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^mastra\.completion_start_time$/, 'Mastra sets it for replies that are not streamed too'],
  [/^usage\.prompt_context\./, 'an estimate before the call; the tokens that the provider counted are read'],
  [/^usage\./, "a sum of the agent's calls; tokens are read from the calls"],
  [
    /^llm\.usage\.total_tokens$|^(?:gen_ai|ai)\.usage\.total|^llm\.token_count\.total$/,
    'the sum of counts that are read',
  ],
  [/\.duration$|^operation\.id$|^voltagent\.operation_id$/, 'the span has it: its times and ids'],
  [/(?:\.|^)mime_type$/, 'the form of a prompt or an answer'],
  [/^ai\.settings\.|^llm\.max_retries$|^ai\.model\.max_retries$/, 'a setting of the client'],
];

/** Why an attribute of a span is neither a field of its event nor kept. */
export function whyUnused(
  name: string,
  value: AttributeValue,
  { event, notes }: { readonly event: ParsedEvent; readonly notes: readonly Note[] },
): string {
  const own = map.OWN_VALUE.exec(name);
  if (own !== null || name === map.OWN_OBJECT) return whyNotOwn(name.slice(own?.[0].length ?? 0));
  const known = KNOWN.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known;
  const field = FIELDS.get(name);
  if (field !== undefined) return whyNotRead(field, { event, notes });
  if (map.LABELS.includes(name)) return 'labels are kept if they are single words of up to 100 characters';
  if (isKeptName(name)) {
    return typeof value === 'string'
      ? 'longer than the 200 characters that are kept of such a name'
      : `a ${typeof value} is not kept`;
  }
  return 'not a name of a convention or dialect that is read; only those are kept, because others may hold prompts';
}

function whyNotOwn(name: string): string {
  if (name !== '' && map.NOT_OWN.test(name)) return 'set by the framework, or read as a field of the event';
  return 'own values are kept if they are numbers, flags or single words of up to 100 characters, 32 of a span';
}

function whyNotRead(
  field: string,
  { event, notes }: { readonly event: ParsedEvent; readonly notes: readonly Note[] },
): string {
  if (!isCallKind(event.kind) && isOfCalls(field))
    return `${field} is read of calls only, and this span is none`;
  const winner = notes.find((note) => note.field === field)?.source;
  if (winner === undefined) return `not a valid value for ${field}`;
  const from = typeof winner === 'string' ? winner : winner.name;
  return `${field} was read from ${from}, which comes first`;
}
