import type { CreatedChannel } from '../../../src/core/deliveries/channels/contract.ts';
import type { DeliveriesPage, Delivery } from '../../../src/core/deliveries/contract.ts';
import {
  deliveriesModule,
  type Notification,
  notificationStatement,
  notificationsWritten,
} from '../../../src/core/deliveries/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { openTestApp, type Tenant, type TestApp, type TestAppOptions } from '../../helpers/app.ts';

/** A request as an endpoint got it. */
export type Hook = { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

export type DeliveryWorld = {
  readonly app: TestApp;
  /** Address of the endpoint; it answers below any path. */
  readonly url: string;
  /** What came, oldest first. */
  readonly hooks: Hook[];
  /** How the endpoint answers; 204 unless set. */
  answer: (hook: Hook) => Response | Promise<Response>;
  ask<T>(method: string, path: string, json?: unknown, tenant?: Tenant): Promise<{ status: number; body: T }>;
  channel(input: object, tenant?: Tenant): Promise<CreatedChannel>;
  /** Writes a notification to channels, as a feature does. */
  notify(channelIds: readonly string[], more?: Partial<Notification>): Promise<void>;
  /** Sends what is due. */
  send(): Promise<void>;
  deliveries(query?: string): Promise<Delivery[]>;
  close(): Promise<void>;
};

export const MESSAGE = {
  title: 'Errors are up',
  text: 'The error rate of gpt-4o is 12%.',
  facts: [{ label: 'Threshold', value: '5%' }],
  severity: 'critical',
  subject: 'alert alr_1 gpt-4o',
  link: { label: 'Open alert', path: '/projects/p/alerts/alr_1' },
} as const satisfies Notification['message'];

/** An app whose channels may reach an endpoint on loopback. */
export async function openDeliveryWorld({ env, ...options }: TestAppOptions = {}): Promise<DeliveryWorld> {
  const app = await openTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1', ...env }, ...options });
  const hooks: Hook[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const hook: Hook = {
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      };
      hooks.push(hook);
      return world.answer(hook);
    },
  });
  const world: DeliveryWorld = {
    app,
    url: `http://127.0.0.1:${server.port}`,
    hooks,
    answer: () => new Response(null, { status: 204 }),
    ask: async <T>(method: string, path: string, json?: unknown, tenant = app.seed) => {
      const sign = path.includes('?') ? '&' : '?';
      const response = await app.fetch(`${path}${sign}organizationId=${tenant.organizationId}`, {
        method,
        bearer: tenant.bearer,
        ...(json !== undefined && { json }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
    },
    channel: async (input, tenant) => {
      const { status, body } = await world.ask<CreatedChannel>('POST', '/v1/channels', input, tenant);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    notify: async (channelIds, more = {}) => {
      const notification: Notification = {
        organizationId: app.seed.organizationId,
        type: 'alert.fired',
        data: { alert: { id: 'alr_1' } },
        message: MESSAGE,
        channelIds,
        ...more,
      };
      await app.ctx.db.sql.batch([notificationStatement(app.ctx, notification)]);
      app.ctx.emit(notificationsWritten);
    },
    send: async () => {
      const job = deliveriesModule.jobs?.find(({ name }) => name === 'deliveries.send');
      if (job === undefined) throw new Error('no job');
      const { status } = await runJob(app.ctx, job, 'schedule');
      if (status !== 'ok') throw new Error(`the job ended as ${status}`);
    },
    deliveries: async (query = '') =>
      (await world.ask<DeliveriesPage>('GET', `/v1/deliveries${query}`)).body.deliveries,
    close: async () => {
      await server.stop(true);
      await app.close();
    },
  };
  return world;
}
