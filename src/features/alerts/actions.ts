import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { type Actor, defineAction } from '../../module.ts';
import { type AlertEditor, createAlert, deleteAlert, updateAlert } from './change/save-alert.ts';
import { alertInput } from './contract.ts';
import { findAlert } from './queries.ts';
import { createSilence, deleteSilence, findSilence } from './silences/change-silences.ts';
import { silenceInput } from './silences/contract.ts';

const id = z.string().min(1).max(100);
const one = z.object({ id });

/** The operator as the editor of a project's alerts. */
async function editorOf(ctx: Ctx, project: string, actor: Actor): Promise<AlertEditor> {
  return { scope: operatorScope(await findProject(ctx, project)), actor, userId: null };
}

/** Creates an alert of a project. */
export const createAlertAction = defineAction({
  name: 'alerts.create',
  input: z.object({ project: idOrName, alert: alertInput }),
  run: async (ctx, { project, alert }, actor) => createAlert(ctx, await editorOf(ctx, project, actor), alert),
});

/** The changes of alerts and silences for the command line: `alerts.create` and so on. */
export const alertActions = [
  createAlertAction,
  defineAction({
    name: 'alerts.update',
    input: z.object({ id, alert: alertInput }),
    run: async (ctx, { id, alert }, actor) => {
      const { projectId } = await findAlert(ctx, id);
      return updateAlert(ctx, await editorOf(ctx, projectId, actor), { id, input: alert });
    },
  }),
  defineAction({
    name: 'alerts.enable',
    input: z.object({ id, enabled: z.boolean() }),
    run: async (ctx, { id, enabled }, actor) => {
      const { projectId, name, rule, channelIds, opensIncident } = await findAlert(ctx, id);
      const input = { ...rule, name, enabled, channelIds: [...channelIds], opensIncident };
      return updateAlert(ctx, await editorOf(ctx, projectId, actor), { id, input });
    },
  }),
  defineAction({
    name: 'alerts.delete',
    input: one,
    run: async (ctx, { id }, actor) => {
      const { projectId } = await findAlert(ctx, id);
      await deleteAlert(ctx, await editorOf(ctx, projectId, actor), id);
      return { id };
    },
  }),
  defineAction({
    name: 'silences.create',
    input: z.object({ project: idOrName, silence: silenceInput }),
    run: async (ctx, { project, silence }, actor) =>
      createSilence(ctx, await editorOf(ctx, project, actor), silence),
  }),
  defineAction({
    name: 'silences.delete',
    input: one,
    run: async (ctx, { id }, actor) => {
      const { projectId } = await findSilence(ctx, id);
      await deleteSilence(ctx, await editorOf(ctx, projectId, actor), id);
      return { id };
    },
  }),
];
