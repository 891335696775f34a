import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const send = (
  { fetch, seed }: TestApp,
  method: string,
  path: string,
  json: unknown = {},
): Promise<Response> =>
  fetch(`/v1/incidents${path}?projectId=${seed.projectId}`, { method, bearer: seed.bearer, json });

const input = { title: 'Search is slow' };
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', input)).json()) as { id: string }).id;
const resolved = async (world: TestApp): Promise<string> => {
  const id = await made(world);
  await send(world, 'POST', `/${id}/resolve`);
  return id;
};
const two = async (world: TestApp) => ({ id: await made(world), into: await made(world) });

const step = (name: string, tells: string, json: unknown = {}, prepare = made) =>
  scenario({ prepare, act: (world, id) => send(world, 'POST', `/${id}/${name}`, json), tells: [tells] });
const project = ({ seed }: TestApp): string => seed.projectId;

export const scenarios: AuditScenarios = {
  'POST /v1/incidents': scenario({
    act: (world) => send(world, 'POST', '', input),
    tells: ['incident.opened'],
  }),
  'PUT /v1/incidents/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { severity: 'critical' }),
    tells: ['incident.updated'],
  }),
  'POST /v1/incidents/:id/acknowledge': step('acknowledge', 'incident.acknowledged'),
  'POST /v1/incidents/:id/resolve': step('resolve', 'incident.resolved'),
  'POST /v1/incidents/:id/reopen': step('reopen', 'incident.reopened', {}, resolved),
  'POST /v1/incidents/:id/comments': step('comments', 'incident.commented', { text: 'seen' }),
  'POST /v1/incidents/:id/merge': scenario({
    prepare: two,
    act: (world, { id, into }) => send(world, 'POST', `/${id}/merge`, { into }),
    tells: ['incident.merged', 'incident.updated'],
  }),
  'PUT /v1/incidents/settings': scenario({
    act: (world) => send(world, 'PUT', '/settings', { autoResolveMinutes: 60 }),
    tells: ['incident_settings.updated'],
  }),
  'incidents.create': scenario({
    act: (world) => act(world, 'incidents.create', { project: project(world), incident: input }),
    tells: ['incident.opened'],
  }),
  'incidents.update': scenario({
    prepare: made,
    act: (world, id) =>
      act(world, 'incidents.update', { project: project(world), id, change: { title: 'Slow' } }),
    tells: ['incident.updated'],
  }),
  'incidents.step': scenario({
    prepare: made,
    act: (world, id) =>
      act(world, 'incidents.step', { project: project(world), id, step: { kind: 'acknowledge' } }),
    tells: ['incident.acknowledged'],
  }),
  'incidents.merge': scenario({
    prepare: two,
    act: (world, given) => act(world, 'incidents.merge', { project: project(world), ...given }),
    tells: ['incident.merged', 'incident.updated'],
  }),
};
