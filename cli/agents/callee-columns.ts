import type { AgentVersion, Callee } from '../../src/features/agents/contract.ts';
import { type Cell, knownCost, money, number } from '../format.ts';
import type { Column } from '../output.ts';
import { duration, percent } from '../report/figures.ts';

type ModelCost = { readonly cost: number | null; readonly unpriced: number; readonly calls: number };

/** What calls of models cost, as far as they have a price; null without calls. */
export const modelCost = ({ cost, unpriced, calls }: ModelCost): Cell | null =>
  calls === 0 || cost === null ? null : knownCost(money(cost), { unpriced, calls });

/** The cost of a run of an agent, as far as its calls of models have a price; null without runs. */
export const runCost = (
  of: Pick<AgentVersion, 'costPerRun' | 'runUnpriced' | 'runModelCalls'>,
): Cell | null =>
  of.costPerRun === null
    ? null
    : knownCost(money(of.costPerRun), { unpriced: of.runUnpriced, calls: of.runModelCalls });

/** What calls, or what is called, one per row. */
export const calleeColumns: readonly Column<Callee>[] = [
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'name', value: ({ name }) => name },
  { header: 'calls', value: ({ calls }) => number(calls) },
  { header: 'failed', value: ({ calls, errors }) => (calls === 0 ? null : percent(errors / calls)) },
  { header: 'p50', value: ({ latencyP50 }) => (latencyP50 === null ? null : duration(latencyP50)) },
  {
    header: 'cost',
    value: ({ kind, cost, unpriced, calls }) =>
      kind === 'model' ? modelCost({ cost, unpriced, calls }) : null,
  },
];
