import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario, type Unaudited } from '../helpers/audit.ts';

const tile = { id: 'a', title: 'Cost', kind: 'number', measures: ['cost'], x: 0, y: 0, w: 4, h: 3 };
const dashboard = { name: 'Costs', tiles: [tile] };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/dashboards${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', dashboard)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/dashboards': scenario({
    act: (world) => send(world, 'POST', '', dashboard),
    tells: ['dashboard.created'],
  }),
  'PUT /v1/dashboards/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { ...dashboard, name: 'Spend' }),
    tells: ['dashboard.updated'],
  }),
  'DELETE /v1/dashboards/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['dashboard.deleted'],
  }),
  'dashboards.import': scenario({
    act: (world) => act(world, 'dashboards.import', { project: world.seed.projectId, dashboard }),
    tells: ['dashboard.created'],
  }),
};

export const unaudited: Unaudited = {};
