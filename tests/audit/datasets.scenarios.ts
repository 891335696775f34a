import type { Dataset } from '../../src/core/datasets/contract.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const items = [{ id: 'one', input: 'What is 2 + 2?', expectedOutput: '4' }];
/** A dataset with an item. Returns its id. */
const made = async (world: TestApp): Promise<string> => {
  const { id } = (await (await send(world, 'POST', 'datasets', { name: 'sums' })).json()) as Dataset;
  await send(world, 'POST', `datasets/${id}/items`, { items });
  return id;
};

export const scenarios: AuditScenarios = {
  'POST /v1/datasets': scenario({
    act: (world) => send(world, 'POST', 'datasets', { name: 'sums' }),
    tells: ['dataset.created'],
  }),
  'PUT /v1/datasets/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `datasets/${id}`, { name: 'more sums', description: '' }),
    tells: ['dataset.updated'],
  }),
  'DELETE /v1/datasets/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `datasets/${id}`),
    tells: ['dataset.deleted'],
  }),
  'POST /v1/datasets/:id/items': scenario({
    prepare: made,
    act: (world, id) =>
      send(world, 'POST', `datasets/${id}/items`, { items: [{ input: 1 }], remove: ['one'] }),
    tells: ['dataset.items_changed'],
  }),
  'POST /v1/datasets/:id/import': scenario({
    prepare: made,
    act: ({ fetch, seed }, id) =>
      fetch(`/v1/datasets/${id}/import?format=csv&projectId=${seed.projectId}`, {
        method: 'POST',
        bearer: seed.bearer,
        body: 'input,expected\na,b\n',
      }),
    tells: ['dataset.items_changed'],
  }),
};
