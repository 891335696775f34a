import type { ParsedEvent } from '../../../core/events/index.ts';
import type { Span } from '../read/span.ts';

/** Names of the id that the provider gave its reply. */
const RESPONSE_IDS = ['gen_ai.response.id', 'ai.response.id'] as const;

type Call = { readonly span: Span; readonly event: ParsedEvent; readonly counted: boolean };

/**
 * Of each counted call the place of another one that reports the same reply: by its id and its tokens, at the same time.
 * Some servers give each reply the same id.
 */
export function findTwice(calls: readonly Call[]): Map<number, number> {
  const byReply = Map.groupBy([...calls.entries()], ([, { span, event, counted }]) => {
    const id = RESPONSE_IDS.map((name) => span.attributes.get(name)).find((one) => typeof one === 'string');
    return counted && id ? JSON.stringify([id, event.input_tokens, event.output_tokens]) : null;
  });
  byReply.delete(null);
  const others = new Map<number, number>();
  for (const same of byReply.values()) {
    const ordered = same.toSorted(([, a], [, b]) => Number(a.span.start - b.span.start));
    for (const [i, [place, { span }]] of ordered.entries()) {
      const next = ordered[i + 1];
      if (next === undefined || next[1].span.start > (span.end ?? span.start)) continue;
      others.set(place, next[0]);
      others.set(next[0], place);
    }
  }
  return others;
}
