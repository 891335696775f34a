import type { Dimension, GroupsQuery } from '../metrics.ts';
import type { RunMeasure } from './contract.ts';

/** Dimensions of runs: those of the span that stands for the run. `agent` is the outermost agent, `agentVersion` its version. */
export const RUN_DIMENSIONS = [
  'agent',
  'agentVersion',
  'release',
  'environment',
  'status',
  'userId',
  'sessionId',
  'promptName',
  'promptVersion',
] as const satisfies Dimension[];

/** A query of runs that began in a window; their filters are about the span that stands for the run. */
export type RunsQuery = Pick<
  GroupsQuery,
  'groupBy' | 'filters' | 'window' | 'bucket' | 'timeZone' | 'behind'
> & {
  readonly measures: readonly RunMeasure[];
  readonly keep:
    | { readonly by: RunMeasure; readonly direction: 'desc' | 'asc'; readonly limit: number }
    | { readonly keys: readonly (readonly (string | null)[])[] };
};
