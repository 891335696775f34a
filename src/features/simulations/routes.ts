import { type Callers, hasRole, route } from '../../core/tenancy/index.ts';
import { READY_SUITES } from '../../lib/simulations/suites/ready-suites.ts';
import { actorOf } from '../../module.ts';
import { cancelRun, deleteRun, resumeRun } from './change/change-run.ts';
import { createSuite, deleteSuite, type Editor, replaceSuite } from './change/save-suite.ts';
import { setSecret } from './change/set-secret.ts';
import { startRun } from './change/start-run.ts';
import { toYaml } from './change/suite-text.ts';
import { tryTarget } from './change/try-target.ts';
import {
  createSimulationEndpoint,
  deleteSimulationEndpoint,
  getSimulationEndpoint,
  listSimulationsEndpoint,
  readySuitesEndpoint,
  replaceSimulationEndpoint,
  setSecretEndpoint,
  tryTargetEndpoint,
} from './contract.ts';
import { listRuns, listSimulations, readSimulation } from './queries.ts';
import { listConversations, readConversation } from './read/conversations.ts';
import { hideHeaders } from './read/hide-headers.ts';
import { readRun } from './read/read-run.ts';
import {
  cancelRunEndpoint,
  deleteRunEndpoint,
  getConversationEndpoint,
  getRunEndpoint,
  listConversationsEndpoint,
  listRunsEndpoint,
  resumeRunEndpoint,
  startRunEndpoint,
} from './runs/contract.ts';

type Asked = { readonly request: Request; readonly address: string | null };
const editorOf = (caller: Callers['project'], input: Asked): Editor => ({
  scope: caller.scope,
  actor: actorOf(caller, input),
  by: caller.userId,
});

const suites = [
  route(listSimulationsEndpoint, async (ctx, _, { scope }) => ({
    simulations: await listSimulations(ctx, scope.projectId),
    nextCursor: null,
  })),
  route(createSimulationEndpoint, (ctx, input, caller) =>
    createSuite(ctx, editorOf(caller, input), input.body),
  ),
  // Before the suite with an id.
  route(readySuitesEndpoint, () => ({
    suites: Object.values(READY_SUITES).map((suite) => ({
      name: suite.name,
      description: suite.description ?? '',
      source: toYaml(suite),
    })),
  })),
  route(tryTargetEndpoint, (ctx, { body, request }, { scope }) =>
    tryTarget(ctx, scope, body, request.signal),
  ),
  route(getSimulationEndpoint, async (ctx, { params, query }, { scope, role }) => {
    const found = await readSimulation(ctx, scope.projectId, { id: params.id, version: query.version });
    return hasRole(role, 'member') ? found : hideHeaders(found);
  }),
  route(replaceSimulationEndpoint, (ctx, input, caller) =>
    replaceSuite(ctx, editorOf(caller, input), { id: input.params.id, body: input.body }),
  ),
  route(deleteSimulationEndpoint, async (ctx, input, caller) => {
    await deleteSuite(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
  route(setSecretEndpoint, async (ctx, input, caller) => {
    await setSecret(ctx, editorOf(caller, input), { ...input.params, ...input.body });
    return null;
  }),
];

const runs = [
  route(startRunEndpoint, (ctx, input, caller) =>
    startRun(ctx, editorOf(caller, input), { ...input.body, id: input.params.id }),
  ),
  route(listRunsEndpoint, (ctx, { params, query }, { scope }) =>
    listRuns(ctx, scope.projectId, { ...query, id: params.id }),
  ),
  route(getRunEndpoint, (ctx, { params }, { scope }) => readRun(ctx, scope, params.run)),
  route(listConversationsEndpoint, (ctx, { params, query }, { scope }) =>
    listConversations(ctx, scope, { ...query, id: params.run }),
  ),
  route(getConversationEndpoint, (ctx, { params }, { scope }) =>
    readConversation(ctx, scope, { id: params.run, no: params.no }),
  ),
  route(cancelRunEndpoint, (ctx, input, caller) => cancelRun(ctx, editorOf(caller, input), input.params.run)),
  route(resumeRunEndpoint, (ctx, input, caller) =>
    resumeRun(ctx, editorOf(caller, input), { ...input.body, id: input.params.run }),
  ),
  route(deleteRunEndpoint, async (ctx, input, caller) => {
    await deleteRun(ctx, editorOf(caller, input), input.params.run);
    return null;
  }),
];

export const simulationRoutes = [...suites, ...runs];
