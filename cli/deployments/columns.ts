import type { Deployment } from '../../src/core/deployments/contract.ts';
import type { ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { tinted } from '../report/figures.ts';

/** One deployment per row. */
export const deploymentColumns: readonly ListColumn<Deployment>[] = [
  { header: 'time', value: ({ at }) => tinted(shortTime(Date.parse(at)), 'dim'), fixed: true },
  { header: 'release', value: ({ release }) => release },
  { header: 'environment', value: ({ environment }) => environment },
  { header: 'source', value: ({ source }) => source, rank: 3 },
  { header: 'commit', value: ({ commit }) => commit, rank: 2 },
  { header: 'title', value: ({ title }) => title, rank: 1 },
  { header: 'id', value: ({ id }) => id, fixed: true, rank: 4 },
];
