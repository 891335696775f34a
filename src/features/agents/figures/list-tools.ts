import type { LinkRow } from '../../../core/events/index.ts';
import { notFound } from '../../../errors.ts';
import type { ToolReply, ToolsReply } from '../contract.ts';
import { calleesOf, callersOf } from './list-agents.ts';
import {
  type Figures,
  MOST_PERCENTILES,
  namesIn,
  seriesOf,
  shownSeen,
  shownWindow,
  textOf,
  timesOf,
  total,
} from './read-figures.ts';

const BY_CALLER = ['kind', 'name', 'callerKind', 'callerName', 'environment'] as const;

/** The tools of a project, most calls first. */
export async function listTools(figures: Figures, withHidden: boolean): Promise<ToolsReply> {
  const [rows, called, days, times] = await Promise.all([
    figures.links({ groupBy: BY_CALLER }),
    figures.links({ groupBy: ['name'], filters: { kind: ['tool'] }, percentiles: MOST_PERCENTILES }),
    figures.links({ groupBy: ['name'], filters: { kind: ['tool'] }, bucket: 'day' }),
    figures.times(),
  ]);
  const series = Map.groupBy(days, (row) => textOf(row, 'name'));
  return {
    tools: called
      .map((row) => ({ row, name: textOf(row, 'name') ?? '' }))
      .filter(({ name }) => withHidden || !figures.registry.isHidden('tool', name))
      .map(({ row, name }) => ({
        ...toolOf(figures, rows, { name, times: times('tool', name), called: row }),
        series: seriesOf(series.get(name) ?? [], figures.window),
      }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
    window: shownWindow(figures.window),
  };
}

/** One tool. Throws AppError 404 for one that no event names. */
export async function readTool(figures: Figures, name: string): Promise<ToolReply> {
  const times = (await figures.times())('tool', name);
  if (times === undefined) throw notFound(`No event of this project names a tool ${name}`);
  const [rows, called, byCaller, schemas] = await Promise.all([
    figures.links({ groupBy: BY_CALLER }),
    figures.links({
      groupBy: ['name'],
      filters: { kind: ['tool'], name: [name] },
      percentiles: MOST_PERCENTILES,
    }),
    figures.links({ groupBy: ['kind', 'name', 'callerKind', 'callerName'], percentiles: MOST_PERCENTILES }),
    figures.schemas(name),
  ]);
  return {
    tool: toolOf(figures, rows, { name, times, called: called[0] }),
    callees: calleesOf(byCaller.filter((row) => row.callerKind === 'tool' && row.callerName === name)),
    callers: callersOf(byCaller.filter((row) => row.kind === 'tool' && row.name === name)),
    schemas,
    window: shownWindow(figures.window),
  };
}

type About = {
  readonly name: string;
  readonly times: ReturnType<Awaited<ReturnType<Figures['times']>>>;
  readonly called: LinkRow | undefined;
};

function toolOf(
  { registry }: Figures,
  rows: readonly LinkRow[],
  { name, times, called }: About,
): ToolReply['tool'] {
  const own = rows.filter((row) => row.kind === 'tool' && row.name === name);
  const made = total(
    rows.filter((row) => row.kind === 'model' && row.callerKind === 'tool' && row.callerName === name),
  );
  return {
    name,
    ...registry.noteOf('tool', name),
    ...shownSeen(times),
    calls: called?.calls ?? 0,
    errors: called?.errors ?? 0,
    ...timesOf(called),
    cost: made.cost,
    modelCalls: made.calls,
    unpriced: made.unpriced,
    callers: namesIn(own, (row) => textOf(row, 'callerName')),
    environments: namesIn(own, (row) => textOf(row, 'environment')),
  };
}
