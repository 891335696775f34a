import type { EventKind, EventStatus } from '../../core/events/contract.ts';
import type { Links } from './link-spans.ts';

/** What the rule looks at: the fields of ParsedEvent. */
type Countable = {
  readonly kind: EventKind;
  readonly status: EventStatus;
  readonly input_tokens: number;
  readonly output_tokens: number;
};

/** True where a span says what its call cost or that it failed. */
const tells = (span: Countable): boolean =>
  span.input_tokens + span.output_tokens > 0 || span.status !== 'success';

/**
 * Which of the calls are the same call as another: a provider's SDK makes a span of its own under that
 * of a wrapper (Anthropic's under OpenLLMetry, OpenInference and Sentry). Of a call and its ancestors of
 * the same kind the outermost that has tokens or failed is counted; where none has, the outermost.
 *
 * It knows the spans that it is given: a child that arrives in another request than its parent is not
 * seen. Whoever loads the spans of a whole trace can ask it again, for it needs no more than they hold.
 * @returns the places of the calls that are not to be counted
 */
export function findDuplicates(spans: readonly Countable[], links: Links): Set<number> {
  const duplicates = new Set<number>();
  for (const kind of ['llm', 'embedding'] as const) addDuplicates(duplicates, kind, spans, links);
  return duplicates;
}

function addDuplicates(
  duplicates: Set<number>,
  kind: EventKind,
  spans: readonly Countable[],
  { parents, order }: Links,
): void {
  /** The nearest ancestor of this kind, by place. */
  const above = new Map<number, number>();
  /** Calls under one that tells, and calls over one that tells while they do not. */
  const covered = new Set<number>();
  const silenced = new Set<number>();
  for (const place of order) {
    const parent = parents[place] ?? -1;
    const ancestor = spans[parent]?.kind === kind ? parent : above.get(parent);
    if (ancestor === undefined) continue;
    above.set(place, ancestor);
    const [span, outer] = [spans[place], spans[ancestor]];
    if (span?.kind !== kind || outer === undefined) continue;
    const hidden = covered.has(ancestor) || tells(outer);
    if (hidden) covered.add(place);
    if (hidden || !tells(span)) {
      duplicates.add(place);
      continue;
    }
    for (let up: number | undefined = ancestor; up !== undefined && !silenced.has(up); up = above.get(up)) {
      silenced.add(up);
      duplicates.add(up);
    }
  }
}
