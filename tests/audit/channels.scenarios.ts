import { notificationStatement } from '../../src/core/deliveries/index.ts';
import { MESSAGE } from '../core/deliveries/world.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const input = { name: 'hook', kind: 'webhook', config: { url: 'https://hooks.example.com/x' } };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}?organizationId=${seed.organizationId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', 'channels', input)).json()) as { id: string }).id;
/** A delivery of a channel that is made for it. */
export const delivery = async (world: TestApp): Promise<string> => {
  const id = await made(world);
  const { organizationId } = world.seed;
  await world.ctx.db.sql.batch([
    notificationStatement(world.ctx, {
      organizationId,
      type: 'alert.fired',
      data: {},
      message: MESSAGE,
      channelIds: [id],
    }),
  ]);
  const page = (await (await send(world, 'GET', 'deliveries')).json()) as { deliveries: { id: string }[] };
  return page.deliveries[0]?.id ?? '';
};

export const scenarios: AuditScenarios = {
  'POST /v1/channels': scenario({
    act: (world) => send(world, 'POST', 'channels', input),
    tells: ['channel.created'],
  }),
  'PUT /v1/channels/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `channels/${id}`, { ...input, name: 'renamed', enabled: false }),
    tells: ['channel.updated'],
  }),
  'DELETE /v1/channels/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `channels/${id}`),
    tells: ['channel.deleted'],
  }),
  'POST /v1/channels/:id/rotate-secret': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `channels/${id}/rotate-secret`),
    tells: ['channel.secret_rotated'],
  }),
  'POST /v1/channels/:id/test': scenario({
    prepare: made,
    act: (world, id) => send(world, 'POST', `channels/${id}/test`),
    tells: ['channel.tested'],
  }),
  'POST /v1/deliveries/:id/retry': scenario({
    prepare: delivery,
    act: (world, id) => send(world, 'POST', `deliveries/${id}/retry`),
    tells: ['delivery.retried'],
  }),
  'channels.create': scenario({
    act: (world) => act(world, 'channels.create', { organization: 'Acme', channel: input }),
    tells: ['channel.created'],
  }),
  'channels.update': scenario({
    prepare: made,
    act: (world, id) => act(world, 'channels.update', { id, change: { types: ['reconcile.drift'] } }),
    tells: ['channel.updated'],
  }),
  'channels.delete': scenario({
    prepare: made,
    act: (world, id) => act(world, 'channels.delete', { id }),
    tells: ['channel.deleted'],
  }),
  'channels.rotate_secret': scenario({
    prepare: made,
    act: (world, id) => act(world, 'channels.rotate_secret', { id }),
    tells: ['channel.secret_rotated'],
  }),
  'channels.test': scenario({
    prepare: made,
    act: (world, id) => act(world, 'channels.test', { id }),
    tells: ['channel.tested'],
  }),
  'deliveries.retry': scenario({
    prepare: delivery,
    act: (world, id) => act(world, 'deliveries.retry', { id }),
    tells: ['delivery.retried'],
  }),
};
