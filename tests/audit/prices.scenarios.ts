import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const price = { provider: 'acme', model: 'acme-1', rates: { input: 1, output: 2 } };
const CATALOGUE = JSON.stringify([
  {
    id: 'acme',
    name: 'Acme',
    api_pattern: '.*',
    models: [{ id: 'acme-1', match: { equals: 'acme-1' }, prices: { input_mtok: 1 } }],
  },
]);

const send = async ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown) =>
  fetch(`/v1/prices${path}?organizationId=${seed.organizationId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', price)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/prices': scenario({ act: (world) => send(world, 'POST', '', price), tells: ['price.created'] }),
  'PUT /v1/prices/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { ...price, rates: { input: 3 } }),
    tells: ['price.updated'],
  }),
  'DELETE /v1/prices/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['price.deleted'],
  }),
  'prices.set': scenario({
    act: (world) => act(world, 'prices.set', { organization: 'Acme', prices: [price] }),
    tells: ['price.created'],
  }),
  'prices.remove': scenario({
    prepare: made,
    act: (world, id) => act(world, 'prices.remove', { id }),
    tells: ['price.deleted'],
  }),
  'prices.update': scenario({
    act: (world) => act(world, 'prices.update', { from: { file: 'x', text: CATALOGUE }, unsigned: true }),
    tells: ['price_catalogue.updated'],
  }),
};
