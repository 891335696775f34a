import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario, type Unaudited } from '../helpers/audit.ts';

const reportOf = ({ seed }: TestApp): object => ({
  name: 'Weekly costs',
  period: 'week',
  projectId: seed.projectId,
  memberIds: [seed.userId],
});

const send = (
  { fetch, seed }: TestApp,
  method: string,
  path: string,
  json?: unknown,
  root = '/v1/scheduled-reports',
): Promise<Response> =>
  fetch(`${root}${path}${root.includes('/auth/') ? '' : `?organizationId=${seed.organizationId}`}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', reportOf(world))).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/scheduled-reports': scenario({
    act: (world) => send(world, 'POST', '', reportOf(world)),
    tells: ['scheduled_report.created'],
  }),
  'PUT /v1/scheduled-reports/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { ...reportOf(world), hour: 9 }),
    tells: ['scheduled_report.updated'],
  }),
  'DELETE /v1/scheduled-reports/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['scheduled_report.deleted'],
  }),
  'POST /v1/scheduled-reports/:id/send': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `/${id}/send`),
    tells: ['scheduled_report.sent'],
  }),
  'PUT /v1/auth/scheduled-reports/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { subscribed: false }, '/v1/auth/scheduled-reports'),
    tells: ['scheduled_report.unsubscribed'],
  }),
  'scheduled-reports.create': scenario({
    act: (world) => act(world, 'scheduled-reports.create', { organization: 'Acme', report: reportOf(world) }),
    tells: ['scheduled_report.created'],
  }),
  'scheduled-reports.pause': scenario({
    prepare: made,
    act: (world, id) => act(world, 'scheduled-reports.pause', { id, paused: true }),
    tells: ['scheduled_report.updated'],
  }),
  'scheduled-reports.send': scenario({
    prepare: made,
    act: (world, id) => act(world, 'scheduled-reports.send', { id }),
    tells: ['scheduled_report.sent'],
  }),
  'scheduled-reports.delete': scenario({
    prepare: made,
    act: (world, id) => act(world, 'scheduled-reports.delete', { id }),
    tells: ['scheduled_report.deleted'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/scheduled-reports/preview': 'It reads figures and changes nothing.',
};
