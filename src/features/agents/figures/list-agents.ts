import type { LinkRow } from '../../../core/events/index.ts';
import { notFound } from '../../../errors.ts';
import type { AgentReply, AgentsReply, Callee } from '../contract.ts';
import { AGENT_DIMENSIONS, runFiguresOf, usedBy } from './agent-figures.ts';
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
import { versionsOf } from './versions.ts';

/** The agents of a project, highest cost first; of many, the dearest one by one and the others together. */
export async function listAgents(figures: Figures, withHidden: boolean): Promise<AgentsReply> {
  const [rows, times] = await Promise.all([figures.links({ groupBy: AGENT_DIMENSIONS }), figures.times()]);
  const ranked = [...indexByAgent(rows)]
    .filter(([name]) => withHidden || !figures.registry.isHidden('agent', name))
    .map(([name, own]) => ({ name, own, ...runFiguresOf(own, name) }))
    .sort((a, b) => b.cost - a.cost || b.modelCalls - a.modelCalls || (a.name < b.name ? -1 : 1));
  const others = ranked.splice(MOST_LISTED);
  const names = ranked.map(({ name }) => name);
  const [called, made] = await Promise.all([
    figures.links({
      groupBy: ['name'],
      filters: { kind: ['agent'], name: names },
      percentiles: MOST_LISTED,
    }),
    figures.links({
      groupBy: ['callerName'],
      filters: { callerKind: ['agent'], callerName: names },
      dailyCalls: true,
    }),
  ]);
  const calledByName = new Map(called.map((row) => [row.name, row]));
  const madeByName = new Map(made.map((row) => [row.callerName, row]));
  return {
    agents: ranked.map(({ name, own }) => ({
      ...agentOf(figures, own, { name, times: times('agent', name), called: calledByName.get(name) }),
      series: seriesOf(madeByName.get(name), figures.window),
    })),
    ...(others.length === 0 ? {} : { otherAgents: toOthers(others) }),
    window: shownWindow(figures.window),
  };
}

const toOthers = (
  agents: readonly ReturnType<typeof runFiguresOf>[],
): NonNullable<AgentsReply['otherAgents']> => ({
  agents: agents.length,
  runs: sumOf(agents, ({ runs }) => runs),
  failedRuns: sumOf(agents, ({ failedRuns }) => failedRuns),
  modelCalls: sumOf(agents, ({ modelCalls }) => modelCalls),
  toolCalls: sumOf(agents, ({ toolCalls }) => toolCalls),
  cost: sumOf(agents, ({ cost }) => cost),
  unpriced: sumOf(agents, ({ unpriced }) => unpriced),
});

/** One agent. Throws AppError 404 for one that no event names. */
export async function readAgent(figures: Figures, name: string): Promise<AgentReply> {
  const times = (await figures.times())('agent', name);
  if (times === undefined) throw notFound(`No event of this project names an agent ${name}`);
  const ofAgent = { kind: ['agent'], name: [name] };
  const madeByAgent = { callerKind: ['agent'], callerName: [name] };
  const [days, [called], made, byCaller] = await Promise.all([
    figures.links({ groupBy: AGENT_DIMENSIONS, agent: name, bucket: 'day' }),
    figures.links({ groupBy: ['name'], filters: ofAgent, percentiles: 1 }),
    figures.links({ groupBy: ['kind', 'name'], filters: madeByAgent, percentiles: MOST_PERCENTILES }),
    figures.links({
      groupBy: ['callerKind', 'callerName'],
      filters: ofAgent,
      percentiles: MOST_PERCENTILES,
    }),
  ]);
  return {
    agent: agentOf(figures, days, { name, times, called }),
    merged: figures.registry.mergedInto('agent', name),
    callees: calleesOf(made),
    callers: callersOf(byCaller),
    versions: versionsOf(days, name),
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
