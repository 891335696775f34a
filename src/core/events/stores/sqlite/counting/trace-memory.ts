import type { WriterPart } from '../../../../../db/writer-env.ts';
import { createHashMemory, type Generation } from '../codecs/hash-memory.ts';
import { hashWords } from '../codecs/hash-words.ts';

/** The traces that got spans since the start. A trace is given in the four words of its column. */
export type TraceMemory = {
  /** Notes that the batch `seq` has spans of a trace. Batches come in the order of their numbers. */
  note(project: number, trace: Int32Array, seq: number): void;
  /** False is certain for the traces of generations that are kept. */
  mayHave(project: number, trace: Int32Array): boolean;
  /** Another one when traces were forgotten. */
  newest(): Generation;
  /** While it is kept, all traces of the batches from `seq` on are remembered. Null if they are not. */
  since(seq: number): Generation | null;
};

/** Two million traces in 4 MB. */
const GENERATIONS = 8;

export const traceMemoryPart: WriterPart<TraceMemory> = { open: createTraceMemory };

export function createTraceMemory(): TraceMemory {
  const memory = createHashMemory(GENERATIONS);
  // Senders choose the ids of their traces.
  const seed = crypto.getRandomValues(new Int32Array(1))[0] as number;
  const hashOf = (project: number, trace: Int32Array): number => hashWords(project ^ seed, trace, 0);
  /** All traces of the batches after `after` are in the generation or in newer ones; the newest last. */
  let begun: { readonly after: number; readonly generation: Generation }[] = [];

  return {
    note(project, trace, seq) {
      const generation = memory.newest();
      if (begun.at(-1)?.generation !== generation) {
        // The first traces of this batch may be in the generation before.
        const after = begun.length === 0 ? seq - 1 : seq;
        begun = [...begun.filter((one) => one.generation.isKept), { after, generation }];
      }
      const hash = hashOf(project, trace);
      // An older generation is forgotten before the batch is.
      if (!memory.newestMayHave(hash)) memory.add(hash);
    },
    mayHave: (project, trace) => memory.mayHave(hashOf(project, trace)),
    newest: memory.newest,
    since: (seq) => begun.findLast(({ after }) => after < seq)?.generation ?? null,
  };
}
