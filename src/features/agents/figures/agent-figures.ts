import type { LinkDimension, LinkRow } from '../../../core/events/index.ts';
import type { AgentVersion } from '../contract.ts';
import { namesIn, promptOf, textOf, total } from './read-figures.ts';

/** What the figures of agents are computed from. */
export const AGENT_DIMENSIONS = [
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
  'agentVersion',
  'rootVersion',
] as const satisfies LinkDimension[];

type RunFigures = Pick<
  AgentVersion,
  | 'runs'
  | 'failedRuns'
  | 'runCost'
  | 'runModelCalls'
  | 'runUnpriced'
  | 'costPerRun'
  | 'costPerSuccessfulRun'
  | 'modelCalls'
  | 'modelErrors'
  | 'cost'
  | 'unpriced'
  | 'toolCalls'
  | 'toolErrors'
>;

/** Calls that an agent makes itself. */
export const isMadeBy = (row: LinkRow, name: string): boolean =>
  row.callerKind === 'agent' && row.callerName === name;

/** Calls in runs that an agent began. */
const isInRunOf = (row: LinkRow, name: string): boolean => row.root === name;

/** Runs of an agent, and the calls that it makes, in some rows. */
export function runFiguresOf(rows: readonly LinkRow[], name: string): RunFigures {
  const inRuns = rows.filter((row) => isInRunOf(row, name));
  const heads = total(inRuns.filter(({ head }) => head === 'yes'));
  const inside = total(inRuns.filter(({ kind }) => kind === 'model'));
  const runCost = inside.cost;
  const made = rows.filter((row) => isMadeBy(row, name));
  const models = total(made.filter(({ kind }) => kind === 'model'));
  const tools = total(made.filter(({ kind }) => kind === 'tool'));
  const succeeded = heads.calls - heads.errors;
  return {
    runs: heads.calls,
    failedRuns: heads.errors,
    runCost,
    runModelCalls: inside.calls,
    runUnpriced: inside.unpriced,
    costPerRun: heads.calls === 0 ? null : runCost / heads.calls,
    costPerSuccessfulRun: succeeded === 0 ? null : runCost / succeeded,
    modelCalls: models.calls,
    modelErrors: models.errors,
    cost: models.cost,
    unpriced: models.unpriced,
    toolCalls: tools.calls,
    toolErrors: tools.errors,
  };
}

/** What an agent uses, most calls first. */
export function usedBy(
  rows: readonly LinkRow[],
  name: string,
): Pick<AgentVersion, 'models' | 'tools' | 'prompts'> {
  const made = rows.filter((row) => isMadeBy(row, name));
  return {
    models: namesIn(
      made.filter(({ kind }) => kind === 'model'),
      (row) => textOf(row, 'name'),
    ),
    tools: namesIn(
      made.filter(({ kind }) => kind === 'tool'),
      (row) => textOf(row, 'name'),
    ),
    prompts: namesIn(made, promptOf),
  };
}
