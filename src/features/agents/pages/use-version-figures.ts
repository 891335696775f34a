import type { listDefinitionsEndpoint } from '../../../core/scores/contract.ts';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { AgentReply, AgentVersion } from '../contract.ts';
import { namesTerm } from './agents-api.ts';

/** Whose versions they are, and in which time. */
export type AboutVersions = {
  readonly scope: Scope;
  /** The agent's names. */
  readonly names: readonly string[];
  readonly window: AgentReply['window'];
};

/** What is measured of the runs of a version, beside what its calls tell. */
export const RUN_FIGURES = ['runCostP50', 'runCostP95', 'runLatencyP95'] as const;
/** Scores that are compared: those of the first definitions by name. */
const MOST_SCORES = 8;

const definitionsApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');

/** The numeric and boolean scores of a project, as measures. */
export function useScoreNames({ projectId }: Scope): readonly `score:${string}`[] {
  const { data } = useApi(definitionsApi, { query: { projectId } });
  return (data?.definitions ?? [])
    .filter(({ type }) => type !== 'category')
    .slice(0, MOST_SCORES)
    .map(({ name }) => `score:${name}` as const);
}

function versionTerm({ version, release }: AgentVersion): string {
  if (version !== null) return termOf('agentVersion', version);
  return `-agentVersion:* ${release === null ? '-release:*' : termOf('release', release)}`;
}

/** Figures of the runs of a version and their scores, by measure; null while they are not known. */
export function useVersionFigures(
  version: AgentVersion,
  { scope, names, window }: AboutVersions,
  scores: readonly `score:${string}`[],
): (measure: string) => number | null {
  const { from, to } = version;
  const end = new Date(Date.parse(to) + DAY_MS - 1).toISOString();
  const inTime: Scope = {
    ...scope,
    params: {
      ...scope.params,
      start: from > window.start ? `${from}T00:00:00.000Z` : window.start,
      end: [end, window.end].sort()[0],
    },
  };
  const filter = `${namesTerm(names)} ${versionTerm(version)}`;
  const runs = useMetrics(inTime, { measures: [...RUN_FIGURES], filter });
  const scored = useMetrics(inTime, { measures: [...scores], filter }, { enabled: scores.length > 0 });
  return (measure) =>
    runs.data?.total.values[measure] ??
    (scores.length > 0 ? scored.data?.total.values[measure] : null) ??
    null;
}
