import { sketchBin } from '../../../../../lib/sketch.ts';
import { RUN_SUMS, type RunShape, type RunSum } from '../../../query/run-series.ts';
import type { SeriesPart } from '../../../series.ts';
import { addRun, runTime } from './run-figures.ts';
import type { FoundRuns } from './runs.ts';

const SUM_PLACES = new Map<RunSum, number>(RUN_SUMS.map((name, place) => [name, place]));
/** Microseconds are whole, so that sums are the same in any order. */
const whole = (name: RunSum, value: number): number => (name === 'latency_us' ? Math.round(value) : value);

type Cell = {
  readonly step: number;
  readonly group: number;
  readonly sums: number[];
  readonly bins: readonly Map<number, number>[];
};

/** Sums of runs in steps, as a part of a series. */
export function toRunPart(
  { runs, keys }: FoundRuns,
  { times }: RunShape,
  step: number,
): Pick<SeriesPart, 'groups' | 'cells' | 'times'> {
  const cells = new Map<string, Cell>();
  const timesOf = times.map((time) => runTime(runs, time));
  for (let run = 0; run < runs.count(); run++) {
    const [at, group] = [Math.floor(runs.ts(run) / step), runs.group(run)];
    const id = `${at} ${group}`;
    const cell = cells.get(id) ?? {
      step: at,
      group,
      sums: RUN_SUMS.map(() => 0),
      bins: times.map(() => new Map<number, number>()),
    };
    cells.set(id, cell);
    addRun(runs, run, (name, value) => {
      const place = SUM_PLACES.get(name) ?? 0;
      cell.sums[place] = (cell.sums[place] ?? 0) + whole(name, value);
    });
    for (const [place, read] of timesOf.entries()) {
      const [value, bins] = [read(run), cell.bins[place]];
      if (Number.isNaN(value) || bins === undefined) continue;
      const bin = sketchBin(Math.round(value));
      bins.set(bin, (bins.get(bin) ?? 0) + 1);
    }
  }
  const all = [...cells.values()];
  return {
    groups: keys.length === 0 ? [''] : keys.map(([name]) => name ?? ''),
    cells: all.flatMap((cell) => [cell.step, cell.group, ...cell.sums]),
    times: all.flatMap(({ bins }) => bins.map((own) => [...own].flat())),
  };
}
