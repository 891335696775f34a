import type { ParsedEvent } from '../../../core/events/index.ts';
import type { InspectedSpan } from '../contract.ts';
import { isContent, successorOf } from '../map/attribute-names.ts';
import { isCallKind } from '../map/kind-of.ts';
import { KINDS } from '../map/kinds.ts';
import type { Source, Span } from '../read/span.ts';
import { isOfCalls, type Note, whyUnused } from './why-unused.ts';

/** The part of the report about attributes. */
type AttributeReport = Pick<InspectedSpan, 'fields' | 'kept' | 'unused' | 'content' | 'deprecated'>;
type Field = InspectedSpan['fields'][number];

/** Fields of the event that are shown, in this order. */
const SHOWN = [
  'operation',
  'provider',
  'model',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_usd',
  'latency_ms',
  'ttft_ms',
  'stream',
  'finish_reason',
  'error_code',
  'error_message',
  'user_id',
  'session_id',
  'environment',
  'agent',
  'agent_version',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
] as const satisfies readonly (keyof ParsedEvent)[];

/** Sources of fields that no rule of the table reads. */
const BY_RULE: Readonly<Record<string, string>> = {
  operation: "the span's name",
  latency_ms: "the span's start and end",
  environment: 'default',
  provider: "the model's name",
  stream: 'a time to first token',
  error_code: "the span's status and exception",
  error_message: "the span's status and exception",
};
const KIND_ATTRIBUTES: ReadonlySet<string> = new Set(KINDS.map(({ attribute }) => attribute));

/** Groups a span's attributes by how they were used. */
export function reportAttributes(span: Span, event: ParsedEvent, all: readonly Note[]): AttributeReport {
  // Whether a span is a call is found by its counts; if it is none, they are not used.
  const notes = isCallKind(event.kind) ? all : all.filter(({ field }) => !isOfCalls(field));
  const read = new Set(notes.map(({ source }) => nameOf(source)));
  const metadata = event.metadata ?? {};
  const report = { kept: [], unused: [], content: [], deprecated: [] } as {
    [K in Exclude<keyof AttributeReport, 'fields'>]: AttributeReport[K];
  };
  for (const [name, value] of span.attributes) {
    const successor = successorOf(name);
    if (isContent(name)) report.content.push({ name, characters: lengthOf(value) });
    else if (read.has(name) || KIND_ATTRIBUTES.has(name)) {
      if (successor !== null) report.deprecated.push({ name, successor });
    } else if (name in metadata) report.kept.push(name);
    else report.unused.push({ name, reason: whyUnused(name, value, { event, notes }) });
  }
  return { fields: reportFields(event, notes), ...report };
}

function reportFields(event: ParsedEvent, notes: readonly Note[]): Field[] {
  const sources = new Map(notes.map(({ field, source }) => [field, source]));
  return SHOWN.flatMap((field): Field[] => {
    const value = event[field];
    const source = sources.get(field);
    const isDefault = value === null || value === 0 || value === false;
    if (value === null || (isDefault && source === undefined)) return [];
    const from = source === undefined ? (BY_RULE[field] ?? 'computed') : labelOf(source);
    const note = field === 'input_tokens' ? cacheNote(event) : null;
    return [{ field, value, from, ...(note === null ? {} : { note }) }];
  });
}

function cacheNote({ usage }: ParsedEvent): string | null {
  const sent = usage?.input_tokens_without_cache;
  return sent === undefined ? null : `${String(sent)} were sent; cached tokens are added`;
}

const nameOf = (source: Source): string => (typeof source === 'string' ? source : source.name);

function labelOf(source: Source): string {
  if (typeof source === 'string') return source;
  if (source.at === 'resource') return `${source.name} of the resource`;
  return source.at === 'seconds'
    ? `${source.name}, in seconds`
    : `${source.path.join('.')} in ${source.name}`;
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
