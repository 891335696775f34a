import { isLinked } from '../../../../../lib/linked-event-id.ts';
import { EVENT_KINDS } from '../../../contract.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { addSpan, type CallKind, NO_CHILDREN, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import { FLAG, ID_WORDS, STATUS } from '../columns.ts';
import type { Chunk } from '../scan/chunk.ts';
import { bucketsAt, eventIdAt, parentIdAt, spanIdAt } from '../scan/to-event.ts';

/** A trace: its id as sent, and in the words of its column. */
export type Trace = { readonly id: string; readonly words: Int32Array };

const CALL_KINDS: readonly (CallKind | null)[] = EVENT_KINDS.map((kind) =>
  kind === 'llm' || kind === 'embedding' ? kind : null,
);

/**
 * Adds the spans of a trace in a chunk to its tree: OTLP spans and linked events, recognised by their derived event
 * ids. Other native events are not compared.
 * @param flips places of the chunk whose flag `call` differs from its columns
 */
export function loadSpans(
  tree: SpanTree,
  trace: Trace,
  { chunk, flips }: { readonly chunk: Chunk; readonly flips: ReadonlySet<number> },
): void {
  const ids = chunk.ids('trace_id');
  const present = chunk.present();
  const [a, b, c, d] = trace.words;
  for (let place = 0; place < chunk.events; place++) {
    const at = place * ID_WORDS.trace_id;
    if (ids[at] !== a || ids[at + 1] !== b || ids[at + 2] !== c || ids[at + 3] !== d) continue;
    if (present[place] === 0) continue;
    const span = spanIdAt(chunk, place);
    const eventId = eventIdAt(chunk, place);
    const linked = isLinked(eventId, trace.id, span);
    if (!linked && eventId !== spanEventId(trace.id, span)) continue;
    const counted = ((chunk.bytes('flags')[place] as number) & FLAG.call) !== 0;
    const given = {
      span,
      linked,
      ts: chunk.numbers('ts')[place] as number,
      kind: CALL_KINDS[chunk.bytes('kind')[place] as number] ?? null,
      tells:
        chunk.bytes('status')[place] !== STATUS.success ||
        Object.values(bucketsAt(chunk, place)).some((tokens) => tokens !== 0),
      counted: counted !== flips.has(place),
      parent: null,
      children: NO_CHILDREN,
    };
    addSpan<TreeSpan>(tree, given, parentIdAt(chunk, place));
  }
}
