import type { ParsedEvent } from '../../../event.ts';
import { OTHER } from '../../../metrics.ts';
import { bucketsOf, objectOf, type StoredRow } from '../../clickhouse/rows/to-event.ts';
import { tagText } from '../../sqlite/labels/labels.ts';
import type { PackedEvent } from '../../sqlite/packs/encode-pack.ts';

/** A row as it is read for a file. `link`: where its place in the graph is kept, JSON. */
export type MovedRow = StoredRow & {
  readonly tags: Readonly<Record<string, string>>;
  readonly is_kept: 0 | 1;
};

/**
 * An event of the engine, so that it can be encoded for a file.
 * @param price the number of its price in the file
 */
export function toPacked(row: MovedRow, price: number | null): PackedEvent {
  const written = row.bucket_cache_write_5m + row.bucket_cache_write_1h;
  const event: ParsedEvent = {
    event_id: row.event_id,
    ts: row.ts,
    dated: true,
    trace_id: row.trace_id,
    span_id: row.span_id,
    parent_span_id: row.parent_span_id,
    kind: row.kind,
    name: row.name,
    provider: row.provider,
    model: row.model,
    operation: row.operation,
    status: row.status,
    error_code: row.error_code,
    error_message: row.error_message,
    latency_ms: row.latency_ms,
    ttft_ms: row.ttft_ms,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached_input_tokens: row.bucket_cache_read,
    cache_write_tokens: written,
    reasoning_tokens: row.bucket_reasoning,
    cost_usd: null,
    stream: row.stream === 1,
    environment: row.environment,
    user_id: row.user_id,
    session_id: row.session_id,
    agent: row.agent,
    agent_version: row.agent_version,
    tool: row.tool,
    release: row.release,
    prompt_name: row.prompt_name,
    prompt_version: row.prompt_version,
    prompt_hash: row.prompt_hash,
    sdk_version: row.sdk_version,
    finish_reason: row.finish_reason,
    tags: objectOf(row.tags_json),
    metadata: objectOf(row.metadata),
    usage: objectOf(row.usage),
    input: row.input === '' ? null : JSON.parse(row.input),
    output: row.output === '' ? null : JSON.parse(row.output),
  };
  const pricing = {
    is_call: row.is_call === 1,
    buckets: bucketsOf(row),
    cost_nano: row.cost_nano,
    cost_status: row.cost_status,
    price: null,
  };
  return { event, pricing, price };
}

/** The tags by which a row is summed, as a shape has them: those that are told apart as sent, the others as `OTHER`. */
export function labelShapeOf({ tags, tags_json }: Pick<MovedRow, 'tags' | 'tags_json'>): string | null {
  const sent = objectOf(tags_json) ?? {};
  const entries = Object.entries(tags).map(([name, text]) => {
    const value = sent[name];
    return [name, text === OTHER || value === undefined || tagText(value) !== text ? text : value] as const;
  });
  const empty = Object.entries(sent).filter(([name]) => !Object.hasOwn(tags, name));
  const all = [...entries, ...empty];
  return all.length === 0 ? null : JSON.stringify({ tags: Object.fromEntries(all) });
}
