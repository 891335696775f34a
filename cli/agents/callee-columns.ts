import type { Callee } from '../../src/features/agents/contract.ts';
import { money, number } from '../format.ts';
import type { Column } from '../output.ts';
import { duration, percent } from '../report/figures.ts';

/** What calls, or what is called, one per row. */
export const calleeColumns: readonly Column<Callee>[] = [
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'name', value: ({ name }) => name },
  { header: 'calls', value: ({ calls }) => number(calls) },
  { header: 'failed', value: ({ calls, errors }) => (calls === 0 ? null : percent(errors / calls)) },
  { header: 'p50', value: ({ latencyP50 }) => (latencyP50 === null ? null : duration(latencyP50)) },
  { header: 'cost', value: ({ kind, cost }) => (kind === 'model' ? money(cost) : null) },
];
