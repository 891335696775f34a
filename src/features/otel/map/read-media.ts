import { readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { MEDIA_TOKENS } from './mapping.ts';
import type { SpanUsage } from './read-usage-details.ts';

/** Langfuse's names of what is put under those of OpenAI's usage object. */
const MOVED: ReadonlySet<string> = new Set(['input_audio_tokens', 'output_audio_tokens']);

/** Adds the tokens of audio and images, which have prices of their own, as the usage object of OpenAI has them. */
export function withMedia(span: Span, { tokens, usage }: SpanUsage): SpanUsage {
  const details = Object.entries(MEDIA_TOKENS).flatMap(([name, rules]) => {
    const counts = Object.entries(rules).flatMap(([medium, rule]) => {
      const count = readField(span, rule) ?? 0;
      return count > 0 ? [[medium, count]] : [];
    });
    return counts.length === 0 ? [] : [[name, Object.fromEntries(counts)]];
  });
  if (details.length === 0) return { tokens, usage };
  const rest = Object.entries(usage ?? {}).filter(([name]) => !MOVED.has(name));
  return { tokens, usage: Object.fromEntries([...rest, ...details]) };
}
