import { inputTokens, outputTokens, type UsageBuckets } from '../../../../pricing/index.ts';
import type { ParsedEvent } from '../../../event.ts';

/**
 * Event fields that are displayed but never searched, stored as JSON. Fields that many events share form the event's
 * shape, which is stored once per chunk; the others are the event's detail.
 */
const SHAPE_FIELDS = [
  'name',
  'agent',
  'agent_version',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'sdk_version',
  'finish_reason',
  'tags',
] as const;
const OWN_FIELDS = ['error_message', 'metadata', 'usage', 'input', 'output'] as const;

/** The stored fields of an event. Ids are here only if they are odd; `prompt_hash` only if it is not 64 hex digits. */
export type Fields = Partial<Record<(typeof SHAPE_FIELDS)[number] | (typeof OWN_FIELDS)[number], unknown>> & {
  /** The sent input count excludes cached tokens, or the sent output count excludes reasoning tokens. */
  exclusive_cache?: true;
  exclusive_reasoning?: true;
  prompt_hash?: string;
  trace_id?: string;
  span_id?: string;
  parent_span_id?: string;
};

/** The shape of an event as JSON; null if it is empty. */
export function shapeOf(event: ParsedEvent, buckets: UsageBuckets): string | null {
  const modes: Fields = {
    ...(event.input_tokens === inputTokens(buckets) ? {} : { exclusive_cache: true }),
    ...(event.output_tokens === outputTokens(buckets) ? {} : { exclusive_reasoning: true }),
  };
  return jsonOf(event, SHAPE_FIELDS, modes);
}

/** The detail of an event as JSON, with some further fields; null if it is empty. */
export const detailOf = (event: ParsedEvent, further: Fields | null): string | null =>
  jsonOf(event, OWN_FIELDS, further);

function jsonOf(
  event: ParsedEvent,
  fields: readonly (keyof ParsedEvent)[],
  further: Fields | null,
): string | null {
  let found: Record<string, unknown> | null = null;
  for (const field of fields) {
    const value = event[field];
    if (value === null || value === undefined) continue;
    found ??= {};
    found[field] = value;
  }
  for (const name in further) found = { ...found, [name]: further[name as keyof Fields] };
  return found === null ? null : JSON.stringify(found);
}
