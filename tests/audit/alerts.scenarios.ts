import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario, type Unaudited } from '../helpers/audit.ts';

const rule = {
  name: 'Errors',
  measure: 'errorRate',
  window: '15m',
  condition: { kind: 'threshold', operator: 'gt', critical: 0.05 },
};

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const idOf = async (response: Response): Promise<string> => ((await response.json()) as { id: string }).id;
const made = async (world: TestApp): Promise<string> => idOf(await send(world, 'POST', 'alerts', rule));
const silence = ({ clock }: TestApp) => ({
  until: new Date(clock.now() + 3_600_000).toISOString(),
  reason: 'Maintenance',
});

export const scenarios: AuditScenarios = {
  'POST /v1/alerts': scenario({
    act: (world) => send(world, 'POST', 'alerts', rule),
    tells: ['alert.created'],
  }),
  'PUT /v1/alerts/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `alerts/${id}`, { ...rule, name: 'Failures' }),
    tells: ['alert.updated'],
  }),
  'DELETE /v1/alerts/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `alerts/${id}`),
    tells: ['alert.deleted'],
  }),
  'POST /v1/silences': scenario({
    act: (world) => send(world, 'POST', 'silences', silence(world)),
    tells: ['silence.created'],
  }),
  'DELETE /v1/silences/:id': scenario({
    prepare: async (world) => idOf(await send(world, 'POST', 'silences', silence(world))),
    act: (world, id) => send(world, 'DELETE', `silences/${id}`),
    tells: ['silence.deleted'],
  }),
  'alerts.create': scenario({
    act: (world) => act(world, 'alerts.create', { project: world.seed.projectId, alert: rule }),
    tells: ['alert.created'],
  }),
  'alerts.update': scenario({
    prepare: made,
    act: (world, id) => act(world, 'alerts.update', { id, alert: { ...rule, name: 'Failures' } }),
    tells: ['alert.updated'],
  }),
  'alerts.enable': scenario({
    prepare: made,
    act: (world, id) => act(world, 'alerts.enable', { id, enabled: false }),
    tells: ['alert.updated'],
  }),
  'alerts.delete': scenario({
    prepare: made,
    act: (world, id) => act(world, 'alerts.delete', { id }),
    tells: ['alert.deleted'],
  }),
  'silences.create': scenario({
    act: (world) => act(world, 'silences.create', { project: world.seed.projectId, silence: silence(world) }),
    tells: ['silence.created'],
  }),
  'silences.delete': scenario({
    prepare: async (world) => idOf(await send(world, 'POST', 'silences', silence(world))),
    act: (world, id) => act(world, 'silences.delete', { id }),
    tells: ['silence.deleted'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/alerts/preview': 'it saves nothing',
};
