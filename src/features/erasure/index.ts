import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { runJob } from '../../core/jobs/index.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope, route } from '../../core/tenancy/index.ts';
import { AppError, conflict, notFound, unavailable } from '../../errors.ts';
import { actorOf, defineAction, type Module } from '../../module.ts';
import { erasureBody, getErasureEndpoint, getErasuresEndpoint, postErasureEndpoint } from './contract.ts';
import { erasureJob } from './jobs.ts';
import { finishOp, progressEffect, requestOp } from './ops.ts';
import { listErasures } from './queries.ts';
import { requestErasure } from './request.ts';

const postErasure = route(postErasureEndpoint, (ctx, input, caller) =>
  requestErasure(ctx, actorOf(caller, input), { scope: caller.scope, userId: input.body.userId }),
);

const getErasures = route(getErasuresEndpoint, async (ctx, _input, { scope }) => ({
  erasures: await listErasures(ctx, scope),
}));

const getErasure = route(getErasureEndpoint, async (ctx, { params }, { scope }) => {
  const [erasure] = await listErasures(ctx, scope, params.erasureId);
  if (erasure === undefined) throw notFound('Erasure not found');
  return erasure;
});

/** `projects.erase_user`: requests an erasure, runs it immediately and resolves when it is done. */
export const eraseUser = defineAction({
  name: 'projects.erase_user',
  input: z.object({ project: idOrName, userId: erasureBody.shape.userId }),
  run: async (ctx, { project, userId }, actor) => {
    const scope = operatorScope(await findProject(ctx, project));
    const { id } = await requestErasure(ctx, actor, { scope, userId });
    for (let ran = false; ; ) {
      const [erasure] = await listErasures(ctx, scope, id);
      if (erasure === undefined || erasure.status === 'done')
        return { projectId: scope.projectId, ...erasure };
      if (ran && erasure.waitsFor !== null) throw conflict(`The erasure waits: ${erasure.waitsFor}`);
      ran = await runOrWait(ctx);
    }
  },
});

/** Runs the job, or waits if it is already running: it processes every erasure. False if it waited. */
async function runOrWait(ctx: Ctx): Promise<boolean> {
  try {
    const { status, result } = await runJob(ctx, erasureJob, 'schedule');
    if (status !== 'ok')
      throw unavailable('The erasure was interrupted; it resumes automatically', 60, result);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error;
    await Bun.sleep(200);
    return false;
  }
}

export const erasureModule: Module = {
  name: 'erasure',
  tables: [{ name: 'erasures', scope: 'project', by: 'project_id', key: ['id'] }],
  routes: [postErasure, getErasures, getErasure],
  actions: [eraseUser],
  writes: [requestOp, finishOp],
  effects: [progressEffect],
  jobs: [erasureJob],
};

export { nextErasure } from './queries.ts';
