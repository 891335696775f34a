import { route } from '../../core/tenancy/index.ts';
import { conflict, notFound } from '../../errors.ts';
import { actorOf } from '../../module.ts';
import {
  createReportEndpoint,
  deleteReportEndpoint,
  getReportEndpoint,
  listOwnReportsEndpoint,
  listReportsEndpoint,
  listRunsEndpoint,
  previewReportEndpoint,
  putOwnReportEndpoint,
  sendReportEndpoint,
  updateReportEndpoint,
} from './contract.ts';
import { readFigures } from './figures/read-figures.ts';
import { findReport, findReportRow, listOwnReports, listReports, listRuns } from './queries.ts';
import { sendNow } from './run/send-now.ts';
import { deleteReport, saveReport, subscribe } from './save-report.ts';
import { periodBefore } from './schedule/next-run.ts';

export const reportRoutes = [
  route(listReportsEndpoint, async (ctx, _input, { organizationId }) => ({
    reports: await listReports(ctx, organizationId),
    nextCursor: null,
  })),

  route(previewReportEndpoint, async (ctx, { body }, { organizationId }) => {
    const figures = await readFigures(ctx, { ...body, organizationId }, periodBefore(body, ctx.now()));
    if (figures === null) throw conflict('There is no project to report on');
    return figures;
  }),

  route(getReportEndpoint, (ctx, { params }, { organizationId }) =>
    findReport(ctx, organizationId, params.id),
  ),

  route(listRunsEndpoint, async (ctx, { params }, { organizationId }) => ({
    runs: await listRuns(ctx, await findReportRow(ctx, params.id, organizationId)),
  })),

  route(createReportEndpoint, (ctx, input, caller) =>
    saveReport(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      id: null,
      input: input.body,
    }),
  ),

  route(updateReportEndpoint, (ctx, input, caller) =>
    saveReport(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      id: input.params.id,
      input: input.body,
    }),
  ),

  route(deleteReportEndpoint, async (ctx, input, caller) => {
    const { organizationId } = caller;
    await deleteReport(ctx, actorOf(caller, input), { organizationId, id: input.params.id });
    return null;
  }),

  route(sendReportEndpoint, async (ctx, input, caller) =>
    sendNow(ctx, actorOf(caller, input), await findReportRow(ctx, input.params.id, caller.organizationId)),
  ),

  route(listOwnReportsEndpoint, async (ctx, _input, { userId }) => ({
    reports: await listOwnReports(ctx, userId),
  })),

  route(putOwnReportEndpoint, async (ctx, input, caller) => {
    const { userId } = caller;
    const { id } = input.params;
    const own = (await listOwnReports(ctx, userId)).some((report) => report.id === id);
    if (!own) throw notFound(`There is no report ${id} that is mailed to you`);
    const { organizationId } = await findReportRow(ctx, id);
    const { subscribed } = input.body;
    await subscribe(ctx, actorOf(caller, input), { organizationId, id, userId, subscribed });
    return null;
  }),
];
