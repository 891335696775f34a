import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { deploymentInput } from './contract.ts';
import { deleteDeployment } from './delete-deployment.ts';
import { reportDeployment } from './report-deployment.ts';

/** The changes of deployments for the command line. */
export const deploymentActions = [
  defineAction({
    name: 'deployments.create',
    input: z.object({ project: idOrName, deployment: deploymentInput }),
    run: async (ctx, { project, deployment }, actor) =>
      reportDeployment(ctx, { scope: operatorScope(await findProject(ctx, project)), actor }, deployment),
  }),
  defineAction({
    name: 'deployments.delete',
    input: z.object({ id: z.string().min(1).max(100) }),
    run: async (ctx, { id }, actor) => {
      await deleteDeployment(ctx, actor, { id });
      return { id };
    },
  }),
] as const;
