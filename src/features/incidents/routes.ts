import { type Callers, route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import {
  type Editor,
  mergeIncident,
  openIncident,
  setSettings,
  stepIncident,
  updateIncident,
} from './change/change-incident.ts';
import * as contract from './contract.ts';
import { findIncident, listIncidents, readSettings, showIncident } from './queries.ts';
import { readIncidentCause } from './root-cause-of.ts';
import { readStats } from './stats.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): Editor => ({ scope: caller.scope, actor: actorOf(caller, input) });

const list = route(contract.listIncidentsEndpoint, (ctx, { query: { projectId, ...query } }) =>
  listIncidents(ctx, projectId, query),
);

const create = route(contract.createIncidentEndpoint, (ctx, input, caller) =>
  openIncident(ctx, editorOf(caller, input), input.body),
);

const get = route(contract.getIncidentEndpoint, async (ctx, { params }, { scope }) =>
  showIncident(ctx, await findIncident(ctx, scope.projectId, params.id)),
);

const update = route(contract.updateIncidentEndpoint, (ctx, input, caller) =>
  updateIncident(ctx, editorOf(caller, input), input.params.id, input.body),
);

const acknowledge = route(contract.acknowledgeIncidentEndpoint, (ctx, input, caller) =>
  stepIncident(ctx, editorOf(caller, input), input.params.id, { kind: 'acknowledge' }),
);

const resolve = route(contract.resolveIncidentEndpoint, (ctx, input, caller) =>
  stepIncident(ctx, editorOf(caller, input), input.params.id, { kind: 'resolve', ...input.body }),
);

const reopen = route(contract.reopenIncidentEndpoint, (ctx, input, caller) =>
  stepIncident(ctx, editorOf(caller, input), input.params.id, { kind: 'reopen', ...input.body }),
);

const comment = route(contract.commentIncidentEndpoint, (ctx, input, caller) =>
  stepIncident(ctx, editorOf(caller, input), input.params.id, { kind: 'comment', ...input.body }),
);

const merge = route(contract.mergeIncidentEndpoint, (ctx, input, caller) =>
  mergeIncident(ctx, editorOf(caller, input), input.params.id, input.body.into),
);

const rootCause = route(contract.incidentRootCauseEndpoint, async (ctx, { params, query }, { scope }) =>
  readIncidentCause(ctx, scope, await findIncident(ctx, scope.projectId, params.id), query.measure),
);

const aiRootCause = route(contract.aiRootCauseEndpoint, async (ctx, { body }, { scope }) =>
  readIncidentCause(ctx, scope, await findIncident(ctx, scope.projectId, body.incidentId), undefined),
);

const stats = route(contract.incidentStatsEndpoint, (ctx, { query: { start, end } }, { scope }) =>
  readStats(ctx, scope.projectId, {
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end + 1 }),
  }),
);

const getSettings = route(contract.getIncidentSettingsEndpoint, (ctx, _input, { scope }) =>
  readSettings(ctx, scope.projectId),
);

const putSettings = route(contract.putIncidentSettingsEndpoint, (ctx, input, caller) =>
  setSettings(ctx, editorOf(caller, input), input.body),
);

/** Words such as `stats` are no ids: their routes come first. */
export const incidentRoutes = [
  list,
  create,
  stats,
  getSettings,
  putSettings,
  get,
  update,
  acknowledge,
  resolve,
  reopen,
  comment,
  merge,
  rootCause,
  aiRootCause,
];
