import type { LinkRow } from '../../../core/events/index.ts';
import { notFound } from '../../../errors.ts';
import type { ToolReply, ToolsReply } from '../contract.ts';
import { calleesOf, callersOf } from './list-agents.ts';
import {
  type Figures,
  MOST_LISTED,
  MOST_PERCENTILES,
  namesIn,
  seriesOf,
  shownSeen,
  shownWindow,
  sumOf,
  textOf,
  timesOf,
  total,
} from './read-figures.ts';

/** What a list ranks tools by, with their callers and the calls of models that they made. */
const BY_CALLER = ['kind', 'name', 'callerKind', 'callerName', 'environment'] as const;

/** The tools of a project, most calls first; of many, the most called one by one and the others together. */
export async function listTools(figures: Figures, withHidden: boolean): Promise<ToolsReply> {
  const [rows, times] = await Promise.all([figures.links({ groupBy: BY_CALLER }), figures.times()]);
  const ofTools = Map.groupBy(
    rows.filter(({ kind }) => kind === 'tool'),
    (row) => textOf(row, 'name') ?? '',
  );
  const made = Map.groupBy(
    rows.filter(({ kind, callerKind }) => kind === 'model' && callerKind === 'tool'),
    (row) => textOf(row, 'callerName') ?? '',
  );
  const ranked = [...ofTools]
    .filter(([name]) => withHidden || !figures.registry.isHidden('tool', name))
    .map(([name, own]) => ({ name, own, ...total(own) }))
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
  const others = ranked.splice(MOST_LISTED);
  const called = await figures.links({
    groupBy: ['name'],
    filters: { kind: ['tool'], name: ranked.map(({ name }) => name) },
    percentiles: MOST_LISTED,
    dailyCalls: true,
  });
  const calledByName = new Map(called.map((row) => [row.name, row]));
  return {
    tools: ranked.map(({ name, own }) => ({
      ...toolOf(figures, name, {
        times: times('tool', name),
        called: calledByName.get(name),
        own,
        made: made.get(name) ?? [],
      }),
      series: seriesOf(calledByName.get(name), figures.window),
    })),
    ...(others.length === 0
      ? {}
      : {
          otherTools: {
            tools: others.length,
            calls: sumOf(others, ({ calls }) => calls),
            errors: sumOf(others, ({ errors }) => errors),
          },
        }),
    window: shownWindow(figures.window),
  };
}

/** One tool. Throws AppError 404 for one that no event names. */
export async function readTool(figures: Figures, name: string): Promise<ToolReply> {
  const times = (await figures.times())('tool', name);
  if (times === undefined) throw notFound(`No event of this project names a tool ${name}`);
  const ofTool = { kind: ['tool'], name: [name] };
  const madeByTool = { callerKind: ['tool'], callerName: [name] };
  const [[called], own, byCaller, made, schemas] = await Promise.all([
    figures.links({ groupBy: ['name'], filters: ofTool, percentiles: 1 }),
    figures.links({ groupBy: ['callerName', 'environment'], filters: ofTool }),
    figures.links({
      groupBy: ['callerKind', 'callerName'],
      filters: ofTool,
      percentiles: MOST_PERCENTILES,
    }),
    figures.links({ groupBy: ['kind', 'name'], filters: madeByTool, percentiles: MOST_PERCENTILES }),
    figures.schemas(name),
  ]);
  return {
    tool: toolOf(figures, name, {
      times,
      called,
      own,
      made: made.filter(({ kind }) => kind === 'model'),
    }),
    callees: calleesOf(made),
    callers: callersOf(byCaller),
    schemas,
    window: shownWindow(figures.window),
  };
}

type About = {
  readonly times: ReturnType<Awaited<ReturnType<Figures['times']>>>;
  readonly called: LinkRow | undefined;
  /** Calls of the tool, and calls of models that it made. */
  readonly own: readonly LinkRow[];
  readonly made: readonly LinkRow[];
};

function toolOf({ registry }: Figures, name: string, { times, called, own, made }: About): ToolReply['tool'] {
  const { cost, calls: modelCalls, unpriced } = total(made);
  return {
    name,
    ...registry.noteOf('tool', name),
    ...shownSeen(times),
    calls: called?.calls ?? 0,
    errors: called?.errors ?? 0,
    ...timesOf(called),
    cost,
    modelCalls,
    unpriced,
    callers: namesIn(own, (row) => textOf(row, 'callerName')),
    environments: namesIn(own, (row) => textOf(row, 'environment')),
  };
}
