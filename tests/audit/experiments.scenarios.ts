import type { Dataset } from '../../src/core/datasets/contract.ts';
import type { Experiment } from '../../src/features/experiments/contract.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const body = { name: 'x', datasetId: 'sums', task: { kind: 'external' } };
const dataset = async (world: TestApp): Promise<void> => {
  const { id } = (await (await send(world, 'POST', 'datasets', { name: 'sums' })).json()) as Dataset;
  await send(world, 'POST', `datasets/${id}/items`, { items: [{ id: 'one', input: 1 }] });
};
/** An external experiment with a result. Returns its id. */
const made = async (world: TestApp): Promise<string> => {
  await dataset(world);
  const { id } = (await (await send(world, 'POST', 'experiments', body)).json()) as Experiment;
  await send(world, 'POST', `experiments/${id}/items`, { items: [{ itemId: 'one', output: 1 }] });
  return id;
};

export const scenarios: AuditScenarios = {
  'POST /v1/experiments': scenario({
    prepare: dataset,
    act: (world) => send(world, 'POST', 'experiments', body),
    tells: ['experiment.created'],
  }),
  'POST /v1/experiments/:id/items': scenario({
    prepare: made,
    act: (world, id) =>
      send(world, 'POST', `experiments/${id}/items`, { items: [{ itemId: 'one', output: 2 }] }),
    tells: ['experiment.results_reported'],
  }),
  'POST /v1/experiments/:id/finish': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `experiments/${id}/finish`),
    tells: ['experiment.finished'],
  }),
  'POST /v1/experiments/:id/cancel': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `experiments/${id}/cancel`),
    tells: ['experiment.cancelled'],
  }),
  'POST /v1/experiments/:id/resume': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `experiments/${id}/resume`, {}),
    tells: ['experiment.resumed'],
  }),
  'DELETE /v1/experiments/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `experiments/${id}`),
    tells: ['experiment.deleted'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/experiments/estimate': 'It only calculates.',
};
