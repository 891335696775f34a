import { sketchBin } from '../../../../../lib/sketch.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Sum } from '../../../measures.ts';
import { FLAG } from '../columns.ts';
import { adderOf, createSums, micros, S, type SumArray } from '../scan/call-sums.ts';
import { type Gathered, gatherBytes, gatherNumbers, gatherTexts } from '../segments/gather.ts';
import { USER_COLUMNS, type UserColumn } from '../users/user-page.ts';
import { type EventGroups, groupEvents } from './group-events.ts';
import { type LinkDelta, linkDeltasOf } from './link-deltas.ts';
import { LABEL_SUMS, ROLLUP_SUMS } from './rollup-sums.ts';

/** The contribution of some events to the sums of a project, as plain data. Hours and days since the epoch. */
export type SumDeltas = {
  readonly hours: readonly HourDelta[];
  readonly labels: readonly LabelDelta[];
  readonly users: readonly UserDelta[];
  readonly links: readonly LinkDelta[];
};

export type HourDelta = {
  readonly hour: number;
  /** The values of `ROLLUP_DIMENSIONS`; '' for a missing text. */
  readonly dimensions: readonly (number | string)[];
  /** In the order of `ROLLUP_SUMS`. */
  readonly sums: readonly number[];
  /** Bins of the latency sketch, each followed by its count. */
  readonly bins: readonly number[];
};

export type LabelDelta = {
  readonly hour: number;
  readonly label: number;
  /** In the order of `LABEL_SUMS`. */
  readonly sums: readonly number[];
};

export type UserDelta = {
  readonly userId: string;
  readonly day: number;
  /** In the order of `USER_COLUMNS`. */
  readonly sums: readonly number[];
};

/**
 * Sums events. The events are grouped by codes first, because a key per event would cost more than its sums.
 * @param weight -1 for events that are to be subtracted
 */
export function sumDeltasOf(rows: Gathered, weight: 1 | -1 = 1): SumDeltas {
  const adders = rows.chunks.map((chunk) => adderOf(chunk));
  const events: Events = {
    rows,
    weight,
    ts: gatherNumbers(rows, 'ts'),
    calls: gatherBytes(rows, 'flags').map((flags) => Number((flags & FLAG.call) !== 0)),
    add: (sums, i) => adders[rows.chunkOf[i] as number]?.(sums, rows.placeOf[i] as number, weight),
  };
  return {
    hours: hoursOf(events),
    labels: labelsOf(events),
    users: usersOf(events),
    links: linkDeltasOf(rows, weight),
  };
}

type Events = {
  readonly rows: Gathered;
  readonly weight: 1 | -1;
  readonly ts: Float64Array;
  /** 1 for each event that counts as a call. */
  readonly calls: Uint32Array;
  add(sums: SumArray, i: number): void;
};

function hoursOf({ rows, weight, ts, calls, add }: Events): HourDelta[] {
  const kind = gatherBytes(rows, 'kind');
  const status = gatherBytes(rows, 'status');
  const texts = (['provider', 'model', 'environment', 'error_code'] as const).map((column) =>
    gatherTexts(rows, column),
  );
  const codes = [kind, calls, status, ...texts.map((column) => column.codes)];
  const { of, firsts } = groupEvents(rows.count, [periodsOf(ts, HOUR_MS), ...codes]);
  const sums = firsts.map(createSums);
  const bins = firsts.map(() => new Map<number, number>());
  const latencies = gatherNumbers(rows, 'latency_ms');
  for (let i = 0; i < rows.count; i++) {
    const group = of[i] as number;
    add(sums[group] as SumArray, i);
    const latency = latencies[i] as number;
    if (!Number.isNaN(latency)) count(bins[group] as Map<number, number>, sketchBin(micros(latency)), weight);
  }
  return firsts.map((i, group) => ({
    hour: Math.floor((ts[i] as number) / HOUR_MS),
    dimensions: [
      kind[i] as number,
      calls[i] as number,
      status[i] as number,
      ...texts.map(({ codes, strings }) => strings[(codes[i] as number) - 1] ?? ''),
    ],
    sums: picked(sums[group] as SumArray, ROLLUP_SUMS),
    bins: [...(bins[group] as Map<number, number>)].flat(),
  }));
}

function labelsOf({ rows, ts, calls, add }: Events): LabelDelta[] {
  const labels = gatherNumbers(rows, 'label');
  const { of, firsts } = groupEvents(rows.count, [periodsOf(ts, HOUR_MS), labels]);
  const sums = sumsOfCalls({ of, firsts }, calls, add);
  return firsts
    .map((i, group) => ({
      hour: Math.floor((ts[i] as number) / HOUR_MS),
      label: labels[i] as number,
      sums: picked(sums[group] as SumArray, LABEL_SUMS),
    }))
    .filter((_, group) => sums[group]?.[S.requests] !== 0);
}

function usersOf({ rows, weight, ts, calls, add }: Events): UserDelta[] {
  const users = gatherTexts(rows, 'user_id');
  const { of, firsts } = groupEvents(rows.count, [periodsOf(ts, DAY_MS), users.codes]);
  const sums = sumsOfCalls({ of, firsts }, calls, add);
  const events = new Float64Array(firsts.length);
  const first = new Float64Array(firsts.length).fill(DAY_MS);
  const last = new Float64Array(firsts.length);
  for (let i = 0; i < rows.count; i++) {
    const group = of[i] as number;
    const inDay = (ts[i] as number) % DAY_MS;
    events[group] = (events[group] as number) + weight;
    if (inDay < (first[group] as number)) first[group] = inDay;
    if (inDay > (last[group] as number)) last[group] = inDay;
  }
  const own = { events, first, last };
  const userSum = (column: UserColumn, group: number): number =>
    column in own
      ? (own[column as keyof typeof own][group] as number)
      : (sums[group]?.[S[column as Sum]] as number);
  return firsts.flatMap((i, group) => {
    const userId = users.strings[(users.codes[i] as number) - 1];
    if (userId === undefined) return [];
    const day = Math.floor((ts[i] as number) / DAY_MS);
    return [{ userId, day, sums: USER_COLUMNS.map((column) => userSum(column, group)) }];
  });
}

function sumsOfCalls({ of, firsts }: EventGroups, calls: Uint32Array, add: Events['add']): SumArray[] {
  const sums = firsts.map(createSums);
  for (let i = 0; i < of.length; i++) if (calls[i] === 1) add(sums[of[i] as number] as SumArray, i);
  return sums;
}

/** The hours or days of times, counted from the first. */
function periodsOf(ts: Float64Array, ms: number): Uint32Array {
  const first = Math.floor(ts.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY) / ms);
  return Uint32Array.from(ts, (time) => Math.floor(time / ms) - first);
}

const picked = (sums: SumArray, names: readonly Sum[]): number[] =>
  names.map((name) => sums[S[name]] as number);

function count(counts: Map<number, number>, bin: number, weight: 1 | -1): void {
  counts.set(bin, (counts.get(bin) ?? 0) + weight);
}
