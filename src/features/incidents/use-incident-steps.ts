import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import type {
  acknowledgeIncidentEndpoint,
  commentIncidentEndpoint,
  getIncidentEndpoint,
  Incident,
  IncidentUpdate,
  incidentStatsEndpoint,
  listIncidentsEndpoint,
  mergeIncidentEndpoint,
  reopenIncidentEndpoint,
  resolveIncidentEndpoint,
  updateIncidentEndpoint,
} from './contract.ts';

const acknowledgeApi = endpointOf<typeof acknowledgeIncidentEndpoint>('POST /v1/incidents/:id/acknowledge');
const resolveApi = endpointOf<typeof resolveIncidentEndpoint>('POST /v1/incidents/:id/resolve');
const reopenApi = endpointOf<typeof reopenIncidentEndpoint>('POST /v1/incidents/:id/reopen');
const commentApi = endpointOf<typeof commentIncidentEndpoint>('POST /v1/incidents/:id/comments');
const mergeApi = endpointOf<typeof mergeIncidentEndpoint>('POST /v1/incidents/:id/merge');
const updateApi = endpointOf<typeof updateIncidentEndpoint>('PUT /v1/incidents/:id');
const STALE = [
  endpointOf<typeof getIncidentEndpoint>('GET /v1/incidents/:id'),
  endpointOf<typeof listIncidentsEndpoint>('GET /v1/incidents'),
  endpointOf<typeof incidentStatsEndpoint>('GET /v1/incidents/stats'),
];

/** What people can do with an incident; a failure is shown as a notice. */
export type IncidentSteps = {
  readonly isBusy: boolean;
  readonly acknowledge: () => void;
  readonly resolve: () => void;
  readonly reopen: () => void;
  readonly comment: (text: string) => Promise<unknown>;
  /** @param into id of the incident that takes over */
  readonly merge: (into: string) => Promise<unknown>;
  readonly update: (change: IncidentUpdate) => Promise<unknown>;
};

type Step = () => Promise<unknown>;

export function useIncidentSteps({ id }: Pick<Incident, 'id'>): IncidentSteps {
  const projectId = useProjectId();
  const change = useChange<Step>({
    send: (step) => step(),
    stale: STALE,
    failed: 'The incident was not changed',
  });
  const asked = { params: { id }, query: { projectId } };
  return {
    isBusy: change.isPending,
    acknowledge: () => change.mutate(() => send(acknowledgeApi, asked)),
    resolve: () => change.mutate(() => send(resolveApi, { ...asked, body: {} })),
    reopen: () => change.mutate(() => send(reopenApi, { ...asked, body: {} })),
    comment: (text) => change.mutateAsync(() => send(commentApi, { ...asked, body: { text } })),
    merge: (into) => change.mutateAsync(() => send(mergeApi, { ...asked, body: { into } })),
    update: (body) => change.mutateAsync(() => send(updateApi, { ...asked, body })),
  };
}
