import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const budget = { of: { kind: 'organization' }, period: 'month', limitUsd: 10 };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/budgets${path}?organizationId=${seed.organizationId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', budget)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/budgets': scenario({
    act: (world) => send(world, 'POST', '', budget),
    tells: ['budget.created'],
  }),
  'PUT /v1/budgets/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { ...budget, limitUsd: 20 }),
    tells: ['budget.updated'],
  }),
  'DELETE /v1/budgets/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['budget.deleted'],
  }),
  'budgets.set': scenario({
    act: (world) => act(world, 'budgets.set', { organization: 'Acme', budget }),
    tells: ['budget.created'],
  }),
  'budgets.remove': scenario({
    prepare: made,
    act: (world, id) => act(world, 'budgets.remove', { id }),
    tells: ['budget.deleted'],
  }),
};
