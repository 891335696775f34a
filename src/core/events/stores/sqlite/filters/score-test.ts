import type { Targets } from '../../../filter/targets.ts';
import { FLAG, ID_WORDS } from '../columns.ts';
import { idHex, idWords } from '../packs/id-bytes.ts';
import type { Chunk } from '../scan/chunk.ts';

/** A trace that a condition on scores holds for: all of it, or some of its spans. */
type Sought = {
  readonly words: Int32Array;
  readonly isOdd: boolean;
  isWhole: boolean;
  readonly spans: { readonly words: Int32Array; readonly isOdd: boolean }[];
};

/** The targets of a project, ready to be looked for in its chunks. */
export type SoughtTargets = {
  readonly traces: readonly Sought[];
  /** By the first word of their ids. */
  readonly byWord: ReadonlyMap<number, readonly Sought[]>;
  readonly sessions: ReadonlySet<string>;
};

export function soughtTargets({ traces, spans, sessions }: Targets): SoughtTargets {
  const known = new Map<string, Sought>();
  const traceOf = (id: string): Sought => {
    const found = known.get(id) ?? {
      words: idWords('trace_id', id),
      isOdd: idHex('trace_id', id).isOdd,
      isWhole: false,
      spans: [],
    };
    known.set(id, found);
    return found;
  };
  for (const id of traces) traceOf(id).isWhole = true;
  for (const [trace, span] of spans)
    traceOf(trace).spans.push({ words: idWords('span_id', span), isOdd: idHex('span_id', span).isOdd });
  const all = [...known.values()];
  return {
    traces: all,
    byWord: Map.groupBy(all, ({ words }) => words[0] as number),
    sessions: new Set(sessions),
  };
}

/** More traces are not looked for in the filters of a chunk: that takes longer than to read it. */
const MOST_LIKELY = 200;

/** Whether a chunk certainly has none of the targets. */
export function hasNoTarget(chunk: Chunk, { traces, sessions }: SoughtTargets): boolean {
  if (sessions.size > 0 || traces.length > MOST_LIKELY) return false;
  return traces.length === 0 || chunk.likely('trace_id', traces).length === 0;
}

/** Whether the event at a place is of a target. */
export function ofTargets(chunk: Chunk, { byWord, sessions }: SoughtTargets): (place: number) => boolean {
  const inSession = sessions.size === 0 ? () => false : sessionTest(chunk, sessions);
  if (byWord.size === 0) return inSession;
  const traceIds = chunk.ids('trace_id');
  const flags = chunk.bytes('flags');
  const hasFlag = (place: number, flag: number): boolean => ((flags[place] as number) & flag) !== 0;
  const isAt = (ids: Int32Array, at: number, words: Int32Array): boolean =>
    words.every((word, i) => ids[at + i] === word);
  const inTrace = (place: number): boolean => {
    const at = place * ID_WORDS.trace_id;
    const candidates = byWord.get(traceIds[at] as number);
    const trace = candidates?.find(
      (one) => isAt(traceIds, at, one.words) && one.isOdd === hasFlag(place, FLAG.oddTrace),
    );
    if (trace === undefined || trace.isWhole) return trace !== undefined;
    const isOdd = hasFlag(place, FLAG.oddSpan);
    const spanIds = chunk.ids('span_id');
    return trace.spans.some(
      (span) => span.isOdd === isOdd && isAt(spanIds, place * ID_WORDS.span_id, span.words),
    );
  };
  return (place) => inTrace(place) || inSession(place);
}

function sessionTest(chunk: Chunk, sessions: ReadonlySet<string>): (place: number) => boolean {
  const texts = chunk.texts('session_id');
  const codes = new Set([...sessions].map((id) => texts.codeOf(id)).filter((code) => code !== 0));
  return (place) => codes.has(texts.codes[place] as number);
}
