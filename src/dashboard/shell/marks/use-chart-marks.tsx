import type { listDeploymentsEndpoint } from '../../../core/deployments/contract.ts';
import type { ChartMark, ChartProps } from '../../ui/charts/time-series.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { ProjectLink } from '../project-link.tsx';
import { useScope } from '../scope/scope.ts';

const listDeploymentsApi = endpointOf<typeof listDeploymentsEndpoint>('GET /v1/deployments');

/** More are not drawn; the newest are. */
const MAX_MARKS = 200;

/** What happened in the time and the environment of a page, for its charts. All charts of a page share the requests. */
export function useChartMarks(): Pick<ChartProps, 'marks' | 'ranges'> {
  const { params } = useScope();
  const { projectId, start, end, environment } = params;
  const query = { projectId, start, end, environment, limit: MAX_MARKS };
  const deployments = useApi(listDeploymentsApi, { query }).data?.deployments ?? [];
  const marks = deployments.map(
    ({ at, release, environment: where, title }): ChartMark => ({
      at,
      name: `Deployment ${release}${environment === undefined ? ` (${where})` : ''}${title === null ? '' : `: ${title}`}`,
      link: (content) => <ProjectLink page="deployments">{content}</ProjectLink>,
    }),
  );
  return { marks };
}
