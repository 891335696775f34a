import type { LinkRow } from '../../../core/events/index.ts';
import { notFound } from '../../../errors.ts';
import type { AgentReply, AgentsReply, Callee } from '../contract.ts';
import { AGENT_DIMENSIONS, concerns, isMadeBy, runFiguresOf, usedBy } from './agent-figures.ts';
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
import { versionsOf } from './versions.ts';

/** The agents of a project, highest cost first. */
export async function listAgents(figures: Figures, withHidden: boolean): Promise<AgentsReply> {
  const [rows, called, days, times] = await Promise.all([
    figures.links({ groupBy: AGENT_DIMENSIONS }),
    figures.links({ groupBy: ['name'], filters: { kind: ['agent'] }, percentiles: MOST_PERCENTILES }),
    figures.links({ groupBy: ['callerName'], filters: { callerKind: ['agent'] }, bucket: 'day' }),
    figures.times(),
  ]);
  const names = agentsIn(rows).filter((name) => withHidden || !figures.registry.isHidden('agent', name));
  const ofAgents = indexByAgent(rows);
  const series = Map.groupBy(days, (row) => textOf(row, 'callerName'));
  return {
    agents: names
      .map((name) => ({
        ...agentOf(figures, ofAgents.get(name) ?? [], {
          name,
          times: times('agent', name),
          called: called.find((row) => row.name === name),
        }),
        series: seriesOf(series.get(name) ?? [], figures.window),
      }))
      .sort((a, b) => b.cost - a.cost || b.modelCalls - a.modelCalls || (a.name < b.name ? -1 : 1)),
    window: shownWindow(figures.window),
  };
}

/** One agent. Throws AppError 404 for one that no event names. */
export async function readAgent(figures: Figures, name: string): Promise<AgentReply> {
  const times = (await figures.times())('agent', name);
  if (times === undefined) throw notFound(`No event of this project names an agent ${name}`);
  const [all, called, byCaller, days] = await Promise.all([
    figures.links({ groupBy: AGENT_DIMENSIONS }),
    figures.links({
      groupBy: ['name'],
      filters: { kind: ['agent'], name: [name] },
      percentiles: MOST_PERCENTILES,
    }),
    figures.links({ groupBy: ['kind', 'name', 'callerKind', 'callerName'], percentiles: MOST_PERCENTILES }),
    figures.links({ groupBy: AGENT_DIMENSIONS, bucket: 'day' }),
  ]);
  return {
    agent: agentOf(
      figures,
      all.filter((row) => concerns(row, name)),
      { name, times, called: called[0] },
    ),
    merged: figures.registry.mergedInto('agent', name),
    callees: calleesOf(byCaller.filter((row) => isMadeBy(row, name))),
    callers: callersOf(byCaller.filter((row) => row.kind === 'agent' && row.name === name)),
    versions: versionsOf(
      days.filter((row) => concerns(row, name)),
      name,
    ),
    window: shownWindow(figures.window),
  };
}

type About = {
  readonly name: string;
  readonly times: ReturnType<Awaited<ReturnType<Figures['times']>>>;
  readonly called: LinkRow | undefined;
};

function agentOf(
  { registry }: Figures,
  rows: readonly LinkRow[],
  { name, times, called }: About,
): AgentReply['agent'] {
  return {
    name,
    ...registry.noteOf('agent', name),
    ...shownSeen(times),
    calls: called?.calls ?? 0,
    errors: called?.errors ?? 0,
    ...timesOf(called),
    ...runFiguresOf(rows, name),
    ...usedBy(rows, name),
    environments: namesIn(rows, (row) => textOf(row, 'environment')),
    releases: namesIn(rows, (row) => textOf(row, 'release')),
  };
}

/** The agents that rows name. */
function agentsIn(rows: readonly LinkRow[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'agent') names.add(textOf(row, 'name') ?? '');
    if (row.callerKind === 'agent') names.add(textOf(row, 'callerName') ?? '');
    if (typeof row.root === 'string') names.add(row.root);
  }
  return [...names];
}

function indexByAgent(rows: readonly LinkRow[]): Map<string, LinkRow[]> {
  const found = new Map<string, LinkRow[]>();
  for (const row of rows)
    for (const name of agentsIn([row])) {
      const own = found.get(name) ?? [];
      own.push(row);
      found.set(name, own);
    }
  return found;
}

const byCalls = (a: Callee, b: Callee): number => b.calls - a.calls || (a.name < b.name ? -1 : 1);

/** What is called, by rows of one caller. */
export const calleesOf = (rows: readonly LinkRow[]): Callee[] =>
  rows.map((row) => toCallee(row, row.kind ?? '', row.name ?? '')).sort(byCalls);

/** Who calls, by rows of what is called; calls without a known caller are left out. */
export const callersOf = (rows: readonly LinkRow[]): Callee[] =>
  rows
    .filter(({ callerKind }) => typeof callerKind === 'string')
    .map((row) => toCallee(row, row.callerKind ?? '', row.callerName ?? ''))
    .sort(byCalls);

const toCallee = (row: LinkRow, kind: string, name: string): Callee => ({
  kind: kind as Callee['kind'],
  name,
  ...total([row]),
  ...timesOf(row),
});
