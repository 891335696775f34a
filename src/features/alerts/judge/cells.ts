import type { SeriesPart } from '../../../core/events/index.ts';
import { eachCell, type Span, STEPS, type StepLength } from './minutes.ts';
import type { RuleShape } from './shape-of.ts';

/** Calls of one shape in one step, by group. `ids` ascend; each group has `width` sums, and bins of each time. */
export type Cell = {
  readonly ids: Uint32Array;
  readonly sums: Float64Array;
  /** Pairs of a bin and its count, by group and time; empty for shapes without times. */
  readonly times: readonly (readonly number[])[];
};

const EMPTY: Cell = { ids: new Uint32Array(0), sums: new Float64Array(0), times: [] };

/** The cells of a shape that are known, by length. Missing ones are read from the store, or made from shorter ones. */
export class Cells {
  readonly width: number;
  readonly #timeCount: number;
  readonly #known = new Map<StepLength, Map<number, Cell>>(STEPS.map((step) => [step, new Map()]));
  readonly #groups = new Map<string, number>();
  readonly names: string[] = [];

  constructor({ width, times }: Pick<RuleShape, 'width' | 'times'>) {
    this.width = width;
    this.#timeCount = times;
    this.idOf('');
  }

  /** The number of a group. */
  idOf(name: string): number {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    this.#groups.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  /** A cell; undefined if it must be read first. */
  get(step: StepLength, index: number): Cell | undefined {
    const known = this.#of(step).get(index);
    if (known !== undefined || step === 1) return known;
    const made = this.#fold(step, index);
    if (made !== undefined) this.#of(step).set(index, made);
    return made;
  }

  #of(step: StepLength): Map<number, Cell> {
    return this.#known.get(step) as Map<number, Cell>;
  }

  /** A cell from those of the next shorter length, if all are known. */
  #fold(step: StepLength, index: number): Cell | undefined {
    const shorter = STEPS[STEPS.indexOf(step) + 1] as StepLength;
    const many = step / shorter;
    const parts: Cell[] = [];
    for (let place = index * many; place < (index + 1) * many; place++) {
      const cell = this.get(shorter, place);
      if (cell === undefined) return undefined;
      if (cell.ids.length > 0) parts.push(cell);
    }
    return this.#merge(parts);
  }

  #merge(parts: readonly Cell[]): Cell {
    if (parts.length < 2) return parts[0] ?? EMPTY;
    const rows = new Map<number, { sums: Float64Array; times: Map<number, number>[] }>();
    for (const { ids, sums, times } of parts)
      for (const [place, id] of ids.entries()) {
        const row = rows.get(id) ?? {
          sums: new Float64Array(this.width),
          times: Array.from({ length: this.#timeCount }, () => new Map<number, number>()),
        };
        rows.set(id, row);
        for (let i = 0; i < this.width; i++)
          row.sums[i] = (row.sums[i] as number) + (sums[place * this.width + i] as number);
        for (const [i, bins] of row.times.entries()) addBins(bins, times[place * this.#timeCount + i] ?? []);
      }
    const sorted = [...rows].sort(([a], [b]) => a - b);
    return this.#toCell(
      sorted.map(([id, { sums, times }]) => [id, [...sums], times.map((bins) => [...bins].flat())]),
    );
  }

  #toCell(
    rows: readonly (readonly [id: number, sums: readonly number[], times: readonly number[][]])[],
  ): Cell {
    const sums = new Float64Array(rows.length * this.width);
    for (const [place, [, own]] of rows.entries()) sums.set(own, place * this.width);
    return { ids: Uint32Array.from(rows, ([id]) => id), sums, times: rows.flatMap(([, , times]) => times) };
  }

  /** Keeps what the store answered for a span; steps without calls are empty. @param part undefined for no calls at all */
  load(step: StepLength, { from, to }: Span, part: SeriesPart | undefined): void {
    const known = this.#of(step);
    for (let index = from / step; index < to / step; index++) known.set(index, EMPTY);
    if (part === undefined) return;
    const ids = part.groups.map((name) => this.idOf(name));
    const size = this.width + 2;
    const byIndex = new Map<number, [id: number, sums: number[], times: number[][]][]>();
    for (let cell = 0; cell * size < part.cells.length; cell++) {
      const [index = 0, group = 0, ...sums] = part.cells.slice(cell * size, (cell + 1) * size);
      const times = part.times.slice(cell * this.#timeCount, (cell + 1) * this.#timeCount);
      const rows = byIndex.get(index) ?? [];
      byIndex.set(index, rows);
      rows.push([ids[group] ?? 0, sums, times.map((bins) => [...bins])]);
    }
    for (const [index, rows] of byIndex) known.set(index, this.#toCell(rows.sort(([a], [b]) => a - b)));
  }

  /** Forgets the cells with a minute, and returns the one of just that minute. */
  forget(minute: number): Cell | undefined {
    const former = this.#of(1).get(minute);
    this.forgetSpan({ from: minute, to: minute + 1 });
    return former;
  }

  /** Forgets the cells with minutes of a span. */
  forgetSpan({ from, to }: Span): void {
    for (const [step, known] of this.#known)
      for (let index = Math.floor(from / step); index * step < to; index++) known.delete(index);
  }

  /** Groups whose calls in a minute are others than they were in `former`. */
  changed(minute: number, former: Cell): Set<number> {
    const now = this.get(1, minute) ?? EMPTY;
    const textOf = (cell: Cell): Map<number, string> =>
      new Map(
        [...cell.ids].map((id, place) => [
          id,
          `${cell.sums.subarray(place * this.width, (place + 1) * this.width)} ${cell.times.slice(place * this.#timeCount, (place + 1) * this.#timeCount)}`,
        ]),
      );
    const [before, after] = [textOf(former), textOf(now)];
    const all = new Set([...before.keys(), ...after.keys()]);
    return new Set([...all].filter((id) => before.get(id) !== after.get(id)));
  }

  /** Replaces minutes before a time by cells of five minutes. */
  coarsen(before: number): void {
    const known = this.#of(1);
    for (const minute of known.keys()) {
      if (minute + 5 > before) continue;
      this.get(5, Math.floor(minute / 5));
      known.delete(minute);
    }
  }

  /** Drops all cells but those of some spans, and minutes from `since` on. */
  keepOnly(spans: readonly Span[], since: number): void {
    const wanted = new Map<StepLength, Set<number>>(STEPS.map((step) => [step, new Set()]));
    for (const span of spans) eachCell(span, (step, index) => wanted.get(step)?.add(index));
    for (const [step, known] of this.#known)
      for (const index of known.keys())
        if (!wanted.get(step)?.has(index) && (step > 5 || (index + 1) * step <= since)) known.delete(index);
  }
}

function addBins(bins: Map<number, number>, pairs: readonly number[]): void {
  for (let i = 0; i < pairs.length; i += 2) {
    const bin = pairs[i] as number;
    bins.set(bin, (bins.get(bin) ?? 0) + (pairs[i + 1] as number));
  }
}
