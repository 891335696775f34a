import type { ParsedEvent } from '../../../core/events/index.ts';
import { isCallKind } from '../map/kind-of.ts';
import { toNumber } from '../read/source.ts';
import type { Span } from '../read/span.ts';

const COUNT_NAME = /token|usage|cost/i;
const MOST_NAMES = 3;

/** Suggests how to supply what a span lacks. */
export function hintsFor(span: Span, event: ParsedEvent, unused: readonly string[]): string[] {
  const hints: string[] = [];
  const counts = unused.filter(
    (name) => COUNT_NAME.test(name) && toNumber(span.attributes.get(name)) !== null,
  );
  if (isCallKind(event.kind)) hints.push(...hintsForCall(event, counts));
  else if (event.kind === 'span' && counts.length > 0) {
    hints.push(
      `The span has token counts (${listed(counts)}); to make it a call, set gen_ai.operation.name to chat`,
    );
  }
  return hints;
}

function hintsForCall(event: ParsedEvent, counts: readonly string[]): string[] {
  const hints: string[] = [];
  if (event.model === null) hints.push('No model: set gen_ai.request.model');
  if (event.provider === null) hints.push('No provider: set gen_ai.provider.name');
  if (event.status !== 'success' || event.input_tokens + event.output_tokens > 0) return hints;
  if (counts.length > 0) {
    hints.push(`No tokens: ${listed(counts)} look like counts, but the names are unknown`);
  }
  hints.push(
    event.kind === 'embedding'
      ? 'No tokens: set gen_ai.usage.input_tokens; some instrumentations omit it for embeddings'
      : 'No tokens: OpenAI reports those of a stream only with stream_options: { include_usage: true }; otherwise set gen_ai.usage.input_tokens and gen_ai.usage.output_tokens',
  );
  return hints;
}

const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' …' : '');
