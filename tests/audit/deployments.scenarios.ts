import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const deployment = { release: '2.4.1', environment: 'production', commit: '9f2c1ab' };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/deployments${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', deployment)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/deployments': scenario({
    act: (world) => send(world, 'POST', '', deployment),
    tells: ['deployment.created'],
  }),
  'DELETE /v1/deployments/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['deployment.deleted'],
  }),
  'deployments.create': scenario({
    prepare: made,
    act: (world) =>
      act(world, 'deployments.create', {
        project: world.seed.projectId,
        deployment: { ...deployment, title: 'Smaller prompts' },
      }),
    tells: ['deployment.updated'],
  }),
  'deployments.delete': scenario({
    prepare: made,
    act: (world, id) => act(world, 'deployments.delete', { id }),
    tells: ['deployment.deleted'],
  }),
};
