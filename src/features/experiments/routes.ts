import { type Callers, route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import {
  cancelExperiment,
  createExperiment,
  deleteExperiment,
  type ExperimentEditor,
  finishExperiment,
  resumeExperiment,
} from './change/change-experiment.ts';
import { estimatePlan } from './change/estimate.ts';
import { reportResults } from './change/report-results.ts';
import { resolvePlan } from './change/resolve-plan.ts';
import {
  cancelExperimentEndpoint,
  createExperimentEndpoint,
  deleteExperimentEndpoint,
  estimateExperimentEndpoint,
  finishExperimentEndpoint,
  getExperimentEndpoint,
  listExperimentsEndpoint,
  listRunsEndpoint,
  reportResultsEndpoint,
  resumeExperimentEndpoint,
} from './contract.ts';
import { listExperiments } from './queries.ts';
import { listRuns } from './read/list-runs.ts';
import { readExperiment } from './read/summarize.ts';

type Asked = { readonly request: Request; readonly address: string | null };
const editorOf = (caller: Callers['project'], input: Asked): ExperimentEditor => ({
  scope: caller.scope,
  actor: actorOf(caller, input),
  by: caller.userId,
});

const reads = [
  route(listExperimentsEndpoint, (ctx, { query }, { scope }) => listExperiments(ctx, scope.projectId, query)),
  route(getExperimentEndpoint, (ctx, { params, query }, { scope }) =>
    readExperiment(ctx, scope, { id: params.id, baselineId: query.baselineId }),
  ),
  route(listRunsEndpoint, (ctx, { params, query }, { scope }) =>
    listRuns(ctx, scope, { ...query, id: params.id }),
  ),
];

const writes = [
  route(createExperimentEndpoint, (ctx, input, caller) =>
    createExperiment(ctx, editorOf(caller, input), input.body),
  ),
  route(estimateExperimentEndpoint, async (ctx, { body }, { scope }) =>
    estimatePlan(ctx, scope, await resolvePlan(ctx, scope, body)),
  ),
  route(reportResultsEndpoint, async (ctx, input, caller) => ({
    stored: await reportResults(ctx, editorOf(caller, input), {
      id: input.params.id,
      items: input.body.items,
    }),
  })),
  route(finishExperimentEndpoint, (ctx, input, caller) =>
    finishExperiment(ctx, editorOf(caller, input), input.params.id),
  ),
  route(cancelExperimentEndpoint, (ctx, input, caller) =>
    cancelExperiment(ctx, editorOf(caller, input), input.params.id),
  ),
  route(resumeExperimentEndpoint, (ctx, input, caller) =>
    resumeExperiment(ctx, editorOf(caller, input), { ...input.body, id: input.params.id }),
  ),
  route(deleteExperimentEndpoint, async (ctx, input, caller) => {
    await deleteExperiment(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
];

export const experimentRoutes = [...reads, ...writes];
