import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario, type Unaudited } from '../helpers/audit.ts';

const CSV = 'date,model,calls,cost_usd\n2026-06-01,gpt-4o,1,1\n';

const send = ({ fetch, seed }: TestApp, method: string, path: string, init: object = {}): Promise<Response> =>
  fetch(`/v1/reconciliations${path}${path.includes('?') ? '&' : '?'}projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...init,
  });
const keep = (world: TestApp): Promise<Response> => send(world, 'POST', '?name=june', { body: CSV });
const made = async (world: TestApp): Promise<{ id: string; result: object }> =>
  (await keep(world)).json() as Promise<{ id: string; result: object }>;

export const scenarios: AuditScenarios = {
  'POST /v1/reconciliations': scenario({ act: keep, tells: ['reconciliation.created'] }),
  'PUT /v1/reconciliations/:id': scenario({
    prepare: made,
    act: (world, { id }) => send(world, 'PUT', `/${id}`, { json: { note: 'paid' } }),
    tells: ['reconciliation.updated'],
  }),
  'DELETE /v1/reconciliations/:id': scenario({
    prepare: made,
    act: (world, { id }) => send(world, 'DELETE', `/${id}`),
    tells: ['reconciliation.deleted'],
  }),
  'PUT /v1/drift/threshold': scenario({
    act: ({ fetch, seed }) =>
      fetch(`/v1/drift/threshold?organizationId=${seed.organizationId}`, {
        method: 'PUT',
        bearer: seed.bearer,
        json: { percent: 2, usd: 5 },
      }),
    tells: ['drift_threshold.updated'],
  }),
  'drift.set-threshold': scenario({
    act: (world) =>
      act(world, 'drift.set-threshold', { organization: 'Acme', threshold: { percent: 2, usd: 5 } }),
    tells: ['drift_threshold.updated'],
  }),
  'reconciliations.keep': scenario({
    prepare: made,
    act: (world, { result }) =>
      act(world, 'reconciliations.keep', { project: world.seed.projectId, name: 'again', note: '', result }),
    tells: ['reconciliation.created'],
  }),
  'reconciliations.note': scenario({
    prepare: made,
    act: (world, { id }) =>
      act(world, 'reconciliations.note', { project: world.seed.projectId, id, note: 'x' }),
    tells: ['reconciliation.updated'],
  }),
  'reconciliations.remove': scenario({
    prepare: made,
    act: (world, { id }) => act(world, 'reconciliations.remove', { project: world.seed.projectId, id }),
    tells: ['reconciliation.deleted'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/reconcile': 'compares the body with the books and keeps nothing of it',
};
