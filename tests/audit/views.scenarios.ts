import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario } from '../helpers/audit.ts';

const view = { name: 'Failures', search: { status: 'error' } };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/views${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', view)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/views': scenario({
    act: (world) => send(world, 'POST', '', view),
    tells: ['saved_view.created'],
  }),
  'PUT /v1/views/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { name: 'Errors' }),
    tells: ['saved_view.updated'],
  }),
  'PUT /v1/views/:id/default': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}/default`, { isDefault: true }),
    tells: ['saved_view.default_changed'],
  }),
  'DELETE /v1/views/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['saved_view.deleted'],
  }),
};
