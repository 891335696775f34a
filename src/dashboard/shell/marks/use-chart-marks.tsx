import type { listDeploymentsEndpoint } from '../../../core/deployments/contract.ts';
import type { firingsEndpoint } from '../../../features/alerts/contract.ts';
import type { ChartMark, ChartProps, ChartRange } from '../../ui/charts/time-series.ts';
import { type FiringRange, joinFirings } from '../alerts/firing-ranges.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { ProjectLink } from '../project-link.tsx';
import { useScope } from '../scope/scope.ts';

const listDeploymentsApi = endpointOf<typeof listDeploymentsEndpoint>('GET /v1/deployments');
const firingsApi = endpointOf<typeof firingsEndpoint>('GET /v1/alerts/firings');

/** More are not drawn; the newest are. */
const MAX_MARKS = 200;

/**
 * Deployments and firing alerts in the time and the environment of a page, for its charts. All charts of a page share
 * the requests.
 */
export function useChartMarks(): Pick<ChartProps, 'marks' | 'ranges'> {
  const { params, every } = useScope();
  const { projectId, start, end, environment } = params;
  const query = { projectId, start, end, environment, limit: MAX_MARKS };
  const deployments = useApi(listDeploymentsApi, { query }, { every }).data?.deployments ?? [];
  const firings = useApi(firingsApi, { query: { projectId, start, end } }, { every }).data?.firings ?? [];
  const marks = deployments.map(
    ({ at, release, environment: where, title }): ChartMark => ({
      at,
      name: `Deployment ${release}${environment === undefined ? ` (${where})` : ''}${title === null ? '' : `: ${title}`}`,
      link: (content) => <ProjectLink page="deployments">{content}</ProjectLink>,
    }),
  );
  return { marks, ranges: joinFirings(firings).map(toRange) };
}

const toRange = ({ alertId, name, severity, from, to, groups }: FiringRange): ChartRange => ({
  from,
  to,
  name: `Alert ${name}${groups.length === 0 ? '' : ` (${groupsText(groups)})`}`,
  tone: severity === 'critical' ? 'bad' : 'warn',
  link: (content) => (
    <ProjectLink page="alerts/$alertId" params={{ alertId }}>
      {content}
    </ProjectLink>
  ),
});

const groupsText = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first || 'none' : `${first || 'none'} and ${others.length} more`;
