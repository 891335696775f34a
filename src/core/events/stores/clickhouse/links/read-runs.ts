import { textTest } from '../../../../../lib/filter/values.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Condition } from '../../../filter/contract.ts';
import type { Dimension } from '../../../metrics.ts';
import type { RunSeriesQuery } from '../../../query/run-series.ts';
import type { RunsQuery } from '../../../query/runs-query.ts';
import { type EventFilters, FAILED_STATUSES } from '../../../selection.ts';
import type { SeriesPart } from '../../../series.ts';
import { dimensionValue } from '../../shared/metrics/dimensions.ts';
import { groupId } from '../../shared/metrics/groups.ts';
import { toRunPart } from '../../shared/runs/run-part.ts';
import { FACTS, type Fact, REACH, refuseOtherDimensions, wideHours } from '../../shared/runs/run-query.ts';
import { createRuns, type FoundRuns, HAS_PRICED, HAS_UNPRICED } from '../../shared/runs/runs.ts';
import type { Engine, EngineRow } from '../engine/engine.ts';
import { join, raw, sql } from '../engine/sql.ts';
import { columnOf } from '../metrics/read-calls.ts';
import { IS_EVENT, inWindow, selected } from '../reads/conditions.ts';
import { MAY_BE_LINKED, type PlacedEvent, readPlaced } from './place-events.ts';

/** What the events that stand for runs say beside their place in the graph, by project and id. */
type Told = ReadonlyMap<string, readonly (string | null)[]>;

/**
 * The runs that began in a window, by trace and outermost agent. They are put together from the events each time.
 * @throws AppError 400 for a dimension that runs do not have, or too many events
 */
export async function readRuns(
  engine: Engine,
  projects: readonly number[],
  { groupBy, filters, window }: Pick<RunsQuery, 'groupBy' | 'filters' | 'window'>,
): Promise<FoundRuns> {
  refuseOtherDimensions(groupBy);
  const { isMeant, rest } = splitFilters(filters);
  const hours = wideHours(window);
  const [placed, told] = await Promise.all([
    readPlaced(engine, projects, { from: hours.from * HOUR_MS, to: hours.to * HOUR_MS }),
    readTold(engine, projects, { window, filters: rest, groupBy }),
  ]);
  const runs = createRuns();
  const groups = createGroups(groupBy, told);
  const numbers = new Map<string, number>();
  const hourOf = (ts: number): number => Math.floor(ts / HOUR_MS);
  for (const one of placed) {
    const { row, link } = one;
    if (!link.head || link.root === null || row.ts < window.from || row.ts >= window.to) continue;
    if (!isMeant(one) || (told !== null && !told.has(idOf(one)))) continue;
    const run = numbers.size;
    numbers.set(runOf(one), run);
    runs.addCalls(run, 0, 0, hourOf(row.ts));
    runs.setHead(run, {
      group: groups.of(one),
      mark: Bun.hash.crc32(JSON.stringify([link, row.ts])),
      ts: row.ts,
      latency: row.latency ?? Number.NaN,
      isFailed: FAILED.has(row.status),
    });
  }
  for (const one of placed) {
    const run = one.link.kind === 'model' ? numbers.get(runOf(one)) : undefined;
    if (run === undefined) continue;
    const [hour, began] = [hourOf(one.row.ts), hourOf(runs.ts(run))];
    if (hour >= began - REACH.before && hour <= began + REACH.after)
      runs.addCalls(run, one.row.cost ?? 0, one.row.unpriced === 1 ? HAS_UNPRICED : HAS_PRICED, hour);
  }
  return { runs, keys: groups.keys };
}

/** Sums of runs in steps. */
export async function readRunSeries(
  engine: Engine,
  projects: readonly number[],
  { shapes, ranges }: RunSeriesQuery,
): Promise<SeriesPart[]> {
  const parts: SeriesPart[] = [];
  for (const [range, asked] of ranges.entries())
    for (const shape of asked.shapes) {
      const about = shapes[shape];
      if (about === undefined) continue;
      const groupBy = about.groupBy === null ? [] : [about.groupBy];
      const found = await readRuns(engine, projects, { groupBy, filters: about.filters, window: asked });
      if (found.runs.count() > 0) parts.push({ range, shape, ...toRunPart(found, about, asked.step) });
    }
  return parts;
}

const FAILED = new Set<string>(FAILED_STATUSES);
const idOf = ({ row }: PlacedEvent): string => `${row.project} ${row.event_id}`;
const runOf = ({ row, link }: PlacedEvent): string => `${row.project} ${row.trace_id} ${link.root ?? ''}`;
const isFact = (name: string): name is Fact => Object.hasOwn(FACTS, name);

/** Splits filters in what links tell and what only events do. The agent of a run is its outermost one. */
function splitFilters({ where = [], environment, ...filters }: EventFilters): {
  readonly isMeant: (one: PlacedEvent) => boolean;
  readonly rest: EventFilters;
} {
  const tests = where
    .filter(({ field }) => isFact(field))
    .map(({ not, ...condition }: Condition) => ({
      fact: FACTS[condition.field as Fact],
      test: textTest(condition),
      not,
    }));
  return {
    isMeant: ({ link }) =>
      (environment === undefined || FACTS.environment(link) === environment) &&
      tests.every(({ fact, test, not }) => test(fact(link)) !== not),
    rest: { ...filters, where: where.filter(({ field }) => !isFact(field)) },
  };
}

type Asked = Pick<RunsQuery, 'window' | 'filters' | 'groupBy'>;

/** Reads what links do not tell; null if nothing of it is asked for. */
async function readTold(
  engine: Engine,
  projects: readonly number[],
  { window, filters, groupBy }: Asked,
): Promise<Told | null> {
  const dimensions = groupBy.filter((name) => !isFact(name));
  const { where = [], ...plain } = filters;
  const isPlain = where.length === 0 && Object.values(plain).every((value) => value === undefined);
  if (isPlain && dimensions.length === 0) return null;
  const columns = dimensions.map((name, place) => sql`, ${columnOf(name)} AS ${raw(`k${place}`)}`);
  const rows = await engine.read<EngineRow & { project: number; event_id: string }>(
    projects,
    sql`SELECT project, event_id ${join(columns, '')} FROM events FINAL
      WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected({ filters, calls: false })}
        AND ${MAY_BE_LINKED}`,
  );
  return new Map(
    rows.map((row) => [
      `${row.project} ${row.event_id}`,
      dimensions.map((name, place) =>
        dimensionValue(name, (row[`k${place}`] ?? null) as string | number | null),
      ),
    ]),
  );
}

/** Numbers groups in the order in which they are found. */
function createGroups(groupBy: readonly Dimension[], told: Told | null) {
  const keys: (string | null)[][] = [];
  const numbers = new Map<string, number>();
  return {
    keys,
    of(one: PlacedEvent): number {
      const own = [...(told?.get(idOf(one)) ?? [])];
      const key = groupBy.map((name) =>
        isFact(name) ? FACTS[name](one.link) || null : (own.shift() ?? null),
      );
      const id = groupId(key);
      const known = numbers.get(id) ?? keys.push(key) - 1;
      numbers.set(id, known);
      return known;
    },
  };
}
