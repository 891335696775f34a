import { expect } from 'bun:test';
import type { Condition } from '../../../src/core/events/filter/contract.ts';
import type { LinkDimension } from '../../../src/core/events/links.ts';
import { RUN_SUMS, type RunSum } from '../../../src/core/events/query/run-series.ts';
import type { EventStore } from '../../../src/core/events/store.ts';
import { ofProject, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { NOON } from './make-event.ts';
import { inOrder, type LinkedEvent, sumLinks } from './recount-links.ts';
import { type CountedRun, RUN_MEASURE_NAMES, runFigures, runSums, runsIn } from './recount-runs.ts';

const WINDOW = { from: NOON - 3 * DAY_MS, to: NOON + 3 * DAY_MS };
const DIMENSIONS: LinkDimension[] = [
  'kind',
  'name',
  'callerKind',
  'callerName',
  'root',
  'head',
  'release',
  'environment',
  'promptName',
  'promptVersion',
  'provider',
  'agentVersion',
  'rootVersion',
];

const groupOf = ({
  event,
  kind,
  name,
  caller,
  root,
  head,
  release,
  version,
  rootVersion,
}: LinkedEvent): Record<LinkDimension, string | null> => ({
  kind,
  name,
  callerKind: caller?.kind ?? null,
  callerName: caller?.name ?? null,
  root,
  head: head ? 'yes' : 'no',
  release,
  environment: event.environment,
  promptName: event.prompt_name,
  promptVersion: event.prompt_version,
  provider: event.provider,
  agentVersion: version,
  rootVersion,
});

async function readSums(store: EventStore, project: ProjectScope, bucket?: 'hour' | 'day') {
  const rows = await store.links(ofProject(project), {
    window: WINDOW,
    groupBy: DIMENSIONS,
    ...(bucket === undefined ? {} : { bucket }),
  });
  return inOrder(rows.map(({ latencyP50: _, latencyP95: __, ...row }) => row));
}

const recount = (links: readonly LinkedEvent[], ms?: number): unknown[] =>
  sumLinks(links, (link) => ({
    ...groupOf(link),
    time: ms === undefined ? null : Math.floor(link.event.ts / ms) * ms,
  }));

/** Calls by day equal a recount, in all and of what concerns an agent. */
async function expectDays(
  store: EventStore,
  project: ProjectScope,
  links: readonly LinkedEvent[],
): Promise<void> {
  const first = Math.floor(WINDOW.from / DAY_MS);
  const days = Array.from({ length: Math.ceil(WINDOW.to / DAY_MS) - first }, (_, day) => first + day);
  const concerns = ({ kind, name, caller, root }: LinkedEvent): boolean =>
    (kind === 'agent' && name === 'planner') ||
    (caller?.kind === 'agent' && caller.name === 'planner') ||
    root === 'planner';
  for (const agent of [undefined, 'planner']) {
    const rows = await store.links(ofProject(project), {
      window: WINDOW,
      groupBy: ['kind', 'name'],
      dailyCalls: true,
      ...(agent === undefined ? {} : { agent }),
    });
    const own = links.filter((link) => agent === undefined || concerns(link));
    const expected = [...Map.groupBy(own, ({ kind, name }) => JSON.stringify([kind, name]))].map(
      ([group, some]) => ({
        group,
        calls: some.length,
        days: days.map((day) => some.filter(({ event }) => Math.floor(event.ts / DAY_MS) === day).length),
      }),
    );
    const found = rows.map(({ kind, name, calls, dailyCalls }) => ({
      group: JSON.stringify([kind, name]),
      calls,
      days: dailyCalls,
    }));
    expect(inOrder(found)).toEqual(inOrder(expected));
  }
}

const RUNS_WINDOW = { from: NOON + 2 * HOUR_MS, to: NOON + 2 * DAY_MS };
const close = (values: readonly (number | null)[]): unknown[] =>
  values.map((value) => (value === null ? null : Number(value.toPrecision(12))));

/** The runs of a window by outermost agent and another dimension, in all and by day, equal a recount. */
async function expectRuns(
  store: EventStore,
  project: ProjectScope,
  links: readonly LinkedEvent[],
  by: 'release' | 'agentVersion',
): Promise<void> {
  const found = await store.runs(ofProject(project), {
    measures: RUN_MEASURE_NAMES,
    groupBy: ['agent', by],
    filters: {},
    window: RUNS_WINDOW,
    bucket: '1d',
    keep: { by: 'runs', direction: 'desc', limit: 4 },
  });
  const runs = runsIn(links, RUNS_WINDOW);
  expect(close(found.total.values)).toEqual(close(runFigures(runs)));
  const keyOf = (run: CountedRun): string => JSON.stringify([run.agent, run[by]]);
  const groups = Map.groupBy(runs, keyOf);
  expect(found.groups.length + (found.others?.groups ?? 0)).toBe(groups.size);
  for (const { key, values, series = [] } of found.groups) {
    const own = groups.get(JSON.stringify(key)) ?? [];
    expect(close(values)).toEqual(close(runFigures(own)));
    for (const [step, start] of found.times.slice(0, -1).entries()) {
      const inStep = own.filter(({ head: { ts } }) => ts >= start && ts < (found.times[step + 1] ?? 0));
      expect(close(series.map((one) => one[step] ?? null))).toEqual(close(runFigures(inStep)));
    }
    groups.delete(JSON.stringify(key));
  }
  if (found.others !== null)
    expect(close(found.others.values)).toEqual(close(runFigures([...groups.values()].flat())));
  await expectSomeRuns(store, project, runs);
}

/** Runs of some agents and releases, and of a user, which only the events tell, equal a recount. */
async function expectSomeRuns(
  store: EventStore,
  project: ProjectScope,
  runs: readonly CountedRun[],
): Promise<void> {
  const about: readonly (readonly [where: Condition[], isMeant: (run: CountedRun) => boolean])[] = [
    [
      [{ field: 'agent', not: false, values: ['planner', 'critic'] }],
      ({ agent }) => agent === 'planner' || agent === 'critic',
    ],
    [[{ field: 'agentVersion', not: false, values: ['1.0'] }], ({ agentVersion }) => agentVersion === '1.0'],
    [
      [
        { field: 'release', not: true, values: ['1'] },
        { field: 'user', not: false, values: ['ada'] },
      ],
      ({ head, release }) => release !== '1' && head.user_id === 'ada',
    ],
  ];
  for (const [where, isMeant] of about) {
    const found = await store.runs(ofProject(project), {
      measures: RUN_MEASURE_NAMES,
      groupBy: ['agent', 'userId'],
      filters: { where },
      window: RUNS_WINDOW,
      keep: { by: 'runs', direction: 'desc', limit: 20 },
    });
    const own = runs.filter(isMeant);
    const groups = Map.groupBy(own, ({ agent, head }) => JSON.stringify([agent, head.user_id]));
    expect(close(found.total.values)).toEqual(close(runFigures(own)));
    expect(new Map(found.groups.map(({ key, values }) => [JSON.stringify(key), close(values)]))).toEqual(
      new Map([...groups].map(([key, some]) => [key, close(runFigures(some))])),
    );
  }
}

/** Sums of runs in steps equal a recount, in ranges of any length, and differ wherever the spans of runs do. */
async function expectSeries(
  store: EventStore,
  project: ProjectScope,
  links: readonly LinkedEvent[],
): Promise<void> {
  const { from, to } = RUNS_WINDOW;
  const middle = from + 7 * HOUR_MS;
  const isPlanner = { where: [{ field: 'agent', not: false, values: ['planner'] }] } as const;
  const text = await store.runSeries(ofProject(project), {
    shapes: [
      { filters: {}, groupBy: 'agent', times: ['cost', 'latency'] },
      { filters: isPlanner, groupBy: null, times: [] },
    ],
    ranges: [
      { from, to: middle, step: 60_000, shapes: [0, 1] },
      { from: middle, to, step: HOUR_MS, shapes: [0, 1] },
    ],
  });
  const found = text.parse().flatMap(({ range, shape, groups, cells, times }) =>
    Array.from({ length: cells.length / SERIES_WIDTH }, (_, i) => {
      const [step, group = 0, ...sums] = cells.slice(i * SERIES_WIDTH, (i + 1) * SERIES_WIDTH);
      const counts = times
        .slice(i * 2, i * 2 + 2)
        .map((bins) => bins.reduce((all, count, at) => all + (at % 2) * count, 0));
      const name = groups[group];
      return { range, shape, step, name, sums: sums.slice(0, -1), counts: shape === 0 ? counts : [] };
    }),
  );
  const expected = [0, 1].flatMap((range) => {
    const [start, end, step] = range === 0 ? [from, middle, 60_000] : [middle, to, HOUR_MS];
    return [0, 1].flatMap((shape) => {
      const runs = runsIn(links, { from: start, to: end }).filter(
        ({ agent }) => shape === 0 || agent === 'planner',
      );
      const cells = Map.groupBy(runs, ({ agent, head: { ts } }) =>
        JSON.stringify([Math.floor(ts / step), shape === 0 ? agent : '']),
      );
      return [...cells].map(([key, own]) => {
        const [at, name] = JSON.parse(key) as [number, string];
        const sums = runSums(own);
        const of = (name: RunSum): number | undefined => sums[RUN_SUMS.indexOf(name)];
        const counts = shape === 0 ? [of('known'), of('timed')] : [];
        return { range, shape, step: at, name, sums, counts };
      });
    });
  });
  expect(inOrder(found)).toEqual(inOrder(expected));
}
/** Step, group and sums. */
const SERIES_WIDTH = 2 + RUN_SUMS.length;

/** The sums of what agents and tools call, and the figures of their runs, equal a recount. */
export async function expectLinks(
  store: EventStore,
  project: ProjectScope,
  links: readonly LinkedEvent[],
  { withRuns } = { withRuns: true },
): Promise<void> {
  if (withRuns)
    for (const by of ['release', 'agentVersion'] as const) await expectRuns(store, project, links, by);
  if (withRuns) await expectSeries(store, project, links);
  expect(await readSums(store, project)).toEqual(recount(links));
  expect(await readSums(store, project, 'day')).toEqual(recount(links, DAY_MS));
  expect(await readSums(store, project, 'hour')).toEqual(recount(links, HOUR_MS));
  await expectDays(store, project, links);
}
