import type { Dataset } from '../../src/core/datasets/contract.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

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
  'POST /v1/datasets/:id/items/stored': scenario({
    prepare: async (world) => {
      const { projectId, bearer, apiKey } = world.seed;
      const path = `/v1/projects/${projectId}/sdk-config`;
      await world.fetch(path, { method: 'PUT', bearer, json: { storePrompts: true } });
      const events = [
        { trace_id: 't-1', span_id: 's', provider: 'openai', model: 'm', input: 'a', output: 'b' },
      ];
      await world.fetch('/v1/ingest', { apiKey, events });
      return made(world);
    },
    act: (world, id) => send(world, 'POST', `datasets/${id}/items/stored`, { targets: [{ traceId: 't-1' }] }),
    tells: ['dataset.items_changed'],
  }),
  'datasets.import': scenario({
    prepare: made,
    act: (world) =>
      act(world, 'datasets.import', {
        project: world.seed.projectId,
        dataset: 'sums',
        format: 'csv',
        content: Buffer.from(Bun.gzipSync('input,expected\na,b\n')).toString('base64'),
        mapping: {},
      }),
    tells: ['dataset.items_changed'],
  }),
  'datasets.add-items': scenario({
    prepare: made,
    act: (world) =>
      act(world, 'datasets.add-items', {
        project: world.seed.projectId,
        dataset: 'sums',
        items: [{ input: 1 }],
      }),
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
