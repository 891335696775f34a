import { z } from 'zod';
import { idOrName } from '../../core/orgs/contract.ts';
import { findOrganization } from '../../core/orgs/index.ts';
import { defineAction } from '../../module.ts';
import { reportInputSchema } from './contract.ts';
import { findReportRow } from './queries.ts';
import { sendNow } from './run/send-now.ts';
import { deleteReport, pauseReport, saveReport } from './save-report.ts';

const id = z.string().min(1).max(100);

/** `scheduled-reports.create`. */
export const createReportAction = defineAction({
  name: 'scheduled-reports.create',
  input: z.object({ organization: idOrName, report: reportInputSchema }),
  run: async (ctx, { organization, report }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    return saveReport(ctx, actor, { organizationId, id: null, input: report });
  },
});

/** `scheduled-reports.pause`, and the way back. */
export const pauseReportAction = defineAction({
  name: 'scheduled-reports.pause',
  input: z.object({ id, paused: z.boolean() }),
  run: async (ctx, { id: given, paused }, actor) => {
    const { organizationId } = await findReportRow(ctx, given);
    return pauseReport(ctx, actor, { organizationId, id: given, paused });
  },
});

/** `scheduled-reports.send`. */
export const sendReportAction = defineAction({
  name: 'scheduled-reports.send',
  input: z.object({ id }),
  run: async (ctx, { id: given }, actor) => sendNow(ctx, actor, await findReportRow(ctx, given)),
});

/** `scheduled-reports.delete`. */
export const deleteReportAction = defineAction({
  name: 'scheduled-reports.delete',
  input: z.object({ id }),
  run: async (ctx, { id: given }, actor) => {
    const { organizationId } = await findReportRow(ctx, given);
    await deleteReport(ctx, actor, { organizationId, id: given });
    return { id: given };
  },
});
