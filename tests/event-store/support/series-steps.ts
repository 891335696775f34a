import { expect } from 'bun:test';
import type { SeriesShape } from '../../../src/core/events/series.ts';
import type { EventStore } from '../../../src/core/events/store.ts';
import { ofProject, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { NOON } from './make-event.ts';

const DAYS = 8;
const SHAPES: readonly SeriesShape[] = [
  { filters: {}, groupBy: 'model', sums: ['requests', 'errors', 'cost_nano'], times: ['latency'] },
  { filters: { environment: 'production' }, groupBy: null, sums: ['input_tokens'], times: [] },
  // Sums know no patterns: the names that match are looked up.
  {
    filters: { where: [{ field: 'model', not: false, globs: ['gpt-*'] }] },
    groupBy: 'environment',
    sums: ['requests', 'errors'],
    times: ['latency'],
  },
];

/**
 * Expects that hours and days of a series, which may come from sums, are its minutes added up, which come from the
 * events: of the days before `NOON`.
 */
export async function expectEqualSteps(
  store: EventStore,
  project: ProjectScope,
  shapes: readonly SeriesShape[] = SHAPES,
): Promise<void> {
  const to = Math.ceil(NOON / DAY_MS) * DAY_MS;
  for (const shape of shapes)
    for (const step of [HOUR_MS, DAY_MS]) {
      const range = { from: to - DAYS * DAY_MS, to };
      const read = (own: number) => cellsOf(store, project, shape, { ...range, step: own, by: step });
      expect(await read(step)).toEqual(await read(MINUTE_MS));
    }
}

type Steps = { readonly from: number; readonly to: number; readonly step: number; readonly by: number };

/** The sums and bins of a series, read in steps and added up to longer ones. */
async function cellsOf(
  store: EventStore,
  project: ProjectScope,
  shape: SeriesShape,
  { by, ...range }: Steps,
): Promise<Map<string, number>> {
  const query = { shapes: [shape], ranges: [{ ...range, shapes: [0] }] };
  const [part] = (await store.series(ofProject(project), query)).parse();
  const found = new Map<string, number>();
  const add = (key: string, value: number): void => {
    if (value !== 0) found.set(key, (found.get(key) ?? 0) + value);
  };
  const { cells = [], groups = [], times = [] } = part ?? {};
  const width = 2 + shape.sums.length;
  for (let place = 0; place * width < cells.length; place++) {
    const [at = 0, group = 0, ...values] = cells.slice(place * width, (place + 1) * width);
    const cell = `${Math.floor((at * range.step) / by)} ${groups[group]}`;
    for (const [i, value] of values.entries()) add(`${cell} ${shape.sums[i]}`, value);
    for (const [i] of shape.times.entries()) {
      const bins = times[place * shape.times.length + i] ?? [];
      for (let pair = 0; pair < bins.length; pair += 2)
        add(`${cell} ${shape.times[i]} ${bins[pair]}`, bins[pair + 1] ?? 0);
    }
  }
  return found;
}
