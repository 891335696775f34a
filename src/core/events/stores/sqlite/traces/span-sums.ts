import type { SpanSums } from '../../shared/traces/build-tree.ts';
import { FLAG } from '../columns.ts';
import { adderOf, createSums, S } from '../scan/call-sums.ts';
import type { Chunk } from '../scan/chunk.ts';
import type { Hit } from '../scan/find-hits.ts';
import { pickPlaces } from '../scan/pick-places.ts';

/** Contribution of each span to its ancestors' sums, in the order of the spans. */
export function spanSums(spans: readonly Hit[]): SpanSums[] {
  const sums: SpanSums[] = [];
  for (const [chunk, own] of Map.groupBy(spans.keys(), (i) => (spans[i] as Hit).chunk)) {
    const places = own.map((i) => (spans[i] as Hit).place);
    for (const [n, of] of sumsIn(chunk, places).entries()) sums[own[n] as number] = of;
  }
  return sums;
}

function sumsIn(chunk: Chunk, places: readonly number[]): SpanSums[] {
  const events = pickPlaces(chunk, places);
  const flags = events.bytes('flags');
  const add = adderOf(events);
  const sums = createSums();
  const at = (sum: number): number => sums[sum] as number;
  return places.map((_, i): SpanSums => {
    sums.fill(0);
    add(sums, i);
    if (((flags[i] as number) & FLAG.call) === 0) return [0, at(S.errors), 0, 0, 0, 0];
    return [1, at(S.errors), at(S.cost_nano), at(S.unpriced), at(S.input_tokens), at(S.output_tokens)];
  });
}
