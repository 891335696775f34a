import { sketchBin } from '../../../../../lib/sketch.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import { FLAG, KIND } from '../columns.ts';
import { adderOf, createSums, micros, S, type SumArray } from '../scan/call-sums.ts';
import { type Gathered, gatherBytes, gatherNumbers } from '../segments/gather.ts';
import { groupEvents } from './group-events.ts';
import { LINK_SUMS } from './rollup-sums.ts';

/** The contribution of events to the sums of an hour (since the epoch) and link. */
export type LinkDelta = {
  readonly hour: number;
  readonly dimensions: readonly [link: number];
  /** In the order of `LINK_SUMS`. */
  readonly sums: readonly number[];
  /** Bins of the latency sketch, each followed by its count. */
  readonly bins: readonly number[];
};

/**
 * Sums events by hour and link. Calls of models that do not count, because another span represents them, are left out.
 * @param weight -1 for events that are to be subtracted
 */
export function linkDeltasOf(rows: Gathered, weight: 1 | -1 = 1): LinkDelta[] {
  const links = gatherNumbers(rows, 'link');
  if (links.every((link) => link === 0)) return [];
  const kind = gatherBytes(rows, 'kind');
  const flags = gatherBytes(rows, 'flags');
  const ts = gatherNumbers(rows, 'ts');
  let first = Number.POSITIVE_INFINITY;
  for (const time of ts) if (time < first) first = time;
  first = Math.floor(first / HOUR_MS);
  const mask = new Uint8Array(rows.count);
  const hours = new Uint32Array(rows.count);
  for (let i = 0; i < rows.count; i++) {
    const isModel = kind[i] === KIND.llm || kind[i] === KIND.embedding;
    mask[i] = Number(links[i] !== 0 && (!isModel || ((flags[i] as number) & FLAG.call) !== 0));
    hours[i] = Math.floor((ts[i] as number) / HOUR_MS) - first;
  }
  const { of, firsts } = groupEvents(rows.count, [hours, links], mask);
  const adders = rows.chunks.map((chunk) => adderOf(chunk, LINK_SUMS));
  const latencies = gatherNumbers(rows, 'latency_ms');
  const sums = firsts.map(createSums);
  const bins = firsts.map(() => new Map<number, number>());
  for (let i = 0; i < rows.count; i++) {
    if (mask[i] === 0) continue;
    const group = of[i] as number;
    adders[rows.chunkOf[i] as number]?.(sums[group] as SumArray, rows.placeOf[i] as number, weight);
    const latency = latencies[i] as number;
    if (!Number.isNaN(latency)) count(bins[group] as Map<number, number>, sketchBin(micros(latency)), weight);
  }
  return firsts.map((i, group) => ({
    hour: (hours[i] as number) + first,
    dimensions: [links[i] as number] as const,
    sums: LINK_SUMS.map((name) => sums[group]?.[S[name]] as number),
    bins: [...(bins[group] as Map<number, number>)].flat(),
  }));
}

function count(counts: Map<number, number>, bin: number, weight: 1 | -1): void {
  counts.set(bin, (counts.get(bin) ?? 0) + weight);
}
