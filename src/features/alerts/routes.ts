import { planOf } from '../../core/orgs/index.ts';
import { PLANS } from '../../core/plans/index.ts';
import { type Callers, route } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import { actorOf } from '../../module.ts';
import { type AlertEditor, createAlert, deleteAlert, ruleOf, updateAlert } from './change/save-alert.ts';
import {
  alertHistoryEndpoint,
  createAlertEndpoint,
  deleteAlertEndpoint,
  firingsEndpoint,
  getAlertEndpoint,
  listAlertsEndpoint,
  updateAlertEndpoint,
} from './contract.ts';
import { previewAlertEndpoint } from './preview/contract.ts';
import { previewAlert } from './preview/preview-alert.ts';
import { countAlerts, findAlert, listAlerts } from './queries.ts';
import { createSilence, deleteSilence, listSilences } from './silences/change-silences.ts';
import { createSilenceEndpoint, deleteSilenceEndpoint, listSilencesEndpoint } from './silences/contract.ts';
import { listFirings } from './states/list-firings.ts';
import { listHistory, readAlertDetail } from './states/queries.ts';

const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): AlertEditor => ({ scope: caller.scope, userId: caller.userId, actor: actorOf(caller, input) });

const list = route(listAlertsEndpoint, async (ctx, { query }, { scope }) => {
  const [page, counts, plan] = await Promise.all([
    listAlerts(ctx, scope.projectId, query),
    countAlerts(ctx, scope),
    planOf(ctx, scope.organizationId),
  ]);
  const { no_data: noData, ...totals } = counts;
  return { ...page, totals: { ...totals, noData, most: PLANS[plan].alerts } };
});

const get = route(getAlertEndpoint, (ctx, { params }, { scope }) =>
  readAlertDetail(ctx, scope.projectId, params.id),
);

const create = route(createAlertEndpoint, (ctx, input, caller) =>
  createAlert(ctx, editorOf(caller, input), input.body),
);

const update = route(updateAlertEndpoint, (ctx, input, caller) =>
  updateAlert(ctx, editorOf(caller, input), { id: input.params.id, input: input.body }),
);

const remove = route(deleteAlertEndpoint, async (ctx, input, caller) => {
  await deleteAlert(ctx, editorOf(caller, input), input.params.id);
  return null;
});

const history = route(alertHistoryEndpoint, async (ctx, { params, query }, { scope }) =>
  listHistory(ctx, await findAlert(ctx, params.id, scope.projectId), query),
);

const firings = route(firingsEndpoint, (ctx, { query }, { scope }) => {
  const to = query.end ?? ctx.now();
  const from = query.start ?? to - DAY_MS;
  if (from > to) throw badRequest('start: must not be after end');
  return listFirings(ctx, scope.projectId, { from, to });
});

const preview = route(previewAlertEndpoint, (ctx, { query, body }, { scope }) =>
  previewAlert(ctx, scope, { rule: ruleOf(body), days: query.days }),
);

const silences = route(listSilencesEndpoint, async (ctx, _input, { scope }) => ({
  silences: await listSilences(ctx, scope.projectId),
  nextCursor: null,
}));

const silence = route(createSilenceEndpoint, (ctx, input, caller) =>
  createSilence(ctx, editorOf(caller, input), input.body),
);

const unsilence = route(deleteSilenceEndpoint, async (ctx, input, caller) => {
  await deleteSilence(ctx, editorOf(caller, input), input.params.id);
  return null;
});

/** Words such as `firings` are no ids: their routes come first. */
export const alertRoutes = [
  list,
  firings,
  get,
  preview,
  create,
  update,
  remove,
  history,
  silences,
  silence,
  unsilence,
];
