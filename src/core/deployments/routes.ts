import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import {
  createDeploymentEndpoint,
  deleteDeploymentEndpoint,
  deploymentEffectEndpoint,
  listDeploymentsEndpoint,
} from './contract.ts';
import { deleteDeployment } from './delete-deployment.ts';
import { readEffect } from './effect.ts';
import { listDeployments } from './list-deployments.ts';
import { findDeployment, toDeployment } from './queries.ts';
import { reportDeployment } from './report-deployment.ts';

const listRoute = route(listDeploymentsEndpoint, (ctx, { query: { projectId: _, ...query } }, { scope }) =>
  listDeployments(ctx, scope, query),
);

const createRoute = route(createDeploymentEndpoint, (ctx, input, caller) =>
  reportDeployment(ctx, { scope: caller.scope, actor: actorOf(caller, input) }, input.body),
);

const effectRoute = route(deploymentEffectEndpoint, async (ctx, { params, query }, { scope }) => {
  const row = await findDeployment(ctx, params.id, scope.projectId);
  return { deployment: toDeployment(row), ...(await readEffect(ctx, scope, { row, hours: query.hours })) };
});

const deleteRoute = route(deleteDeploymentEndpoint, async (ctx, input, caller) => {
  const { projectId } = caller.scope;
  await deleteDeployment(ctx, actorOf(caller, input), { id: input.params.id, projectId });
  return null;
});

export const deploymentRoutes = [listRoute, createRoute, effectRoute, deleteRoute];
