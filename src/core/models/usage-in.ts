import type { RawUsage } from '../pricing/index.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The usage object in a chunk of a stream: OpenAI's `usage`, Anthropic's in `message_start` and `message_delta`, Gemini's
 * `usageMetadata`. Null without one.
 */
export function usageIn(chunk: unknown): RawUsage | null {
  if (!isObject(chunk)) return null;
  const message = isObject(chunk.message) ? chunk.message.usage : undefined;
  const found = chunk.usage ?? chunk.usageMetadata ?? message;
  return isObject(found) ? found : null;
}

const MAX_FIELDS = 50;
const MAX_DEPTH = 3;
const MAX_TEXT = 100;

/** The parts of a usage object that figures can come from, so that a hostile one cannot make its event invalid. */
export function plainUsage(usage: RawUsage, depth = 0): RawUsage {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(usage).slice(0, MAX_FIELDS)) {
    if (name.length > MAX_TEXT || name === '__proto__' || name.includes('\0')) continue;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) kept[name] = value;
    else if (typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0'))
      kept[name] = value;
    else if (isObject(value) && depth < MAX_DEPTH) kept[name] = plainUsage(value, depth + 1);
    else if (Array.isArray(value) && depth < MAX_DEPTH)
      kept[name] = value
        .filter(isObject)
        .slice(0, 20)
        .map((each) => plainUsage(each, depth + 1));
  }
  return kept;
}
