import { FLAG, ID_WORDS } from '../columns.ts';
import { idHex } from '../packs/id-bytes.ts';
import type { Chunk } from '../scan/chunk.ts';

/** A trace that is looked for: its id as sent and as a column has it. */
export type SoughtTrace = { readonly id: string; readonly words: Int32Array; readonly isOdd: boolean };

export function soughtTrace(id: string): SoughtTrace {
  const { hex, isOdd } = idHex('trace_id', id);
  return { id, words: new Int32Array(Uint8Array.fromHex(hex).buffer), isOdd };
}

/** The places of some traces' events in a chunk, ascending, by trace; traces without one are left out. */
export function tracePlaces<T extends SoughtTrace>(chunk: Chunk, traces: readonly T[]): Map<T, number[]> {
  const places = new Map<T, number[]>();
  const byWord = Map.groupBy(traces, ({ words }) => words[0] as number);
  const ids = chunk.ids('trace_id');
  const flags = chunk.bytes('flags');
  const present = chunk.present();
  for (let place = 0, at = 0; at < ids.length; place++, at += ID_WORDS.trace_id) {
    const candidates = byWord.get(ids[at] as number);
    if (candidates === undefined || present[place] === 0) continue;
    const isOdd = ((flags[place] as number) & FLAG.oddTrace) !== 0;
    for (const trace of candidates) {
      const { words } = trace;
      if (words[1] !== ids[at + 1] || words[2] !== ids[at + 2] || words[3] !== ids[at + 3]) continue;
      if (trace.isOdd !== isOdd) continue;
      const own = places.get(trace);
      if (own === undefined) places.set(trace, [place]);
      else own.push(place);
    }
  }
  return places;
}
