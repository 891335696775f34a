import { LRUCache } from 'lru-cache';
import { lookUp } from '../../lib/text/look-up.ts';
import { oneEditApart } from '../../lib/text/one-edit-apart.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Field names that senders use for prompt and completion besides `input` and `output`. They are content, not
 * metadata, and are dropped unless the project stores prompts.
 */
const CONTENT_NAMES: ReadonlySet<string> = new Set([
  'prompt',
  'prompts',
  'prompt_text',
  'messages',
  'system',
  'system_prompt',
  'completion',
  'completions',
  'completion_text',
  'response',
  'response_text',
]);

/** A name in snake case that ends like one of content: `my_prompt`, `inputMessages`, but not `prompt_id`. */
const CONTENT_ENDING =
  /(?:^|_)(?:prompts?|messages?|completions?|responses?|contents?|texts?|questions?|answers?|instructions?|transcripts?|conversations?)$/;
/** Longer text is taken for content. */
const LONGEST_TEXT = 200;

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[.\s-]+/g, '_')
    .toLowerCase();

/** A sent event without prompt and completion. */
export const withoutContent = (raw: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(raw).filter(([name]) => name !== 'input' && name !== 'output' && !CONTENT_NAMES.has(name)),
  );

/** Whether an unknown field is certainly content, which every sender expects to be dropped. */
export const isContentName = (name: string): boolean => CONTENT_NAMES.has(name);

/** Whether an unknown field may hold content: by its name, or because its text is long. */
export function looksLikeContent(name: string, value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return false;
  return CONTENT_ENDING.test(snakeCase(name)) || holdsLongText(value);
}

function holdsLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONGEST_TEXT;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsLongText);
}

/** Other names of an event's fields: those of providers' usage objects, OpenTelemetry and common abbreviations. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  prompt_tokens: 'input_tokens',
  completion_tokens: 'output_tokens',
  cached_tokens: 'cached_input_tokens',
  cache_read_tokens: 'cached_input_tokens',
  cache_read_input_tokens: 'cached_input_tokens',
  cache_creation_input_tokens: 'cache_write_tokens',
  thinking_tokens: 'reasoning_tokens',
  cost: 'cost_usd',
  total_cost: 'cost_usd',
  latency: 'latency_ms',
  duration: 'latency_ms',
  duration_ms: 'latency_ms',
  ttft: 'ttft_ms',
  time_to_first_token: 'ttft_ms',
  time: 'timestamp',
  ts: 'timestamp',
  created_at: 'timestamp',
  env: 'environment',
  user: 'user_id',
  session: 'session_id',
  conversation_id: 'session_id',
  thread_id: 'session_id',
  model_name: 'model',
  vendor: 'provider',
  version: 'release',
  id: 'event_id',
  error: 'error_message',
  streaming: 'stream',
  stop_reason: 'finish_reason',
};

/** A list of tools or a team is not a misspelled tool or name. */
const SHORTEST_MISSPELLED = 6;

/** The field of which a name is one edit apart. */
function misspelled(name: string, fields: ReadonlyMap<string, unknown>): string | null {
  if (name.length < SHORTEST_MISSPELLED) return null;
  for (const field of fields.keys()) if (oneEditApart(name, field)) return field;
  return null;
}

/** The names of senders repeat; hostile ones do not. */
const known = new LRUCache<string, { readonly field: string | null }>({ max: 1_000 });

/**
 * The field that the sender of an unknown one probably means; null if there is none.
 * @param fields the names of all fields
 */
export function intendedField(name: string, fields: ReadonlyMap<string, unknown>): string | null {
  const found = known.get(name);
  if (found !== undefined) return found.field;
  const plain = snakeCase(name.slice(0, 100));
  const field = fields.has(plain) ? plain : (lookUp(OTHER_NAMES, plain) ?? misspelled(plain, fields));
  known.set(name, { field });
  return field;
}
