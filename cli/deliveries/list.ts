import {
  DELIVERY_STATUSES,
  type Delivery,
  listDeliveriesEndpoint,
} from '../../src/core/deliveries/contract.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import { readOfOrganization } from '../organization.ts';
import type { Column } from '../output.ts';
import { orgOption } from '../prices/fields.ts';

const TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

/** One delivery per row. */
const columns: readonly Column<Delivery>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'created', value: ({ createdAt }) => shortTime(Date.parse(createdAt)) },
  { header: 'channel', value: ({ channel }) => channel },
  { header: 'title', value: ({ title }) => title },
  { header: 'status', value: ({ status }) => ({ text: status, tone: TONES[status] }), fixed: true },
  { header: 'attempts', value: ({ attempts }) => attempts.length },
  { header: 'last error', value: ({ attempts }) => attempts.at(-1)?.error ?? null },
];

export const deliveriesList = defineCommand({
  name: 'deliveries list',
  summary: 'List deliveries of notifications, newest first',
  options: {
    ...orgOption,
    channel: { value: 'ID', summary: 'Only deliveries of this channel', id: 'channel' },
    status: { value: 'STATUS', summary: DELIVERY_STATUSES.join(', '), choices: DELIVERY_STATUSES },
  },
  examples: ['spanledger deliveries list', 'spanledger deliveries list --status failed --json'],
  run: async (ctx) => {
    const { listDeliveries } = await import('../../src/core/deliveries/index.ts');
    const { channel: channelId, status } = ctx.options;
    const asked = { channelId, status, limit: 200 };
    const deliveries = await readOfOrganization<readonly Delivery[]>(ctx, ctx.options.org, {
      file: async (app, { id }) => (await listDeliveries(app, id, asked)).deliveries,
      server: async (server, { id: organizationId }) =>
        (await server.get(listDeliveriesEndpoint, { query: { organizationId, ...asked } })).deliveries,
    });
    ctx.output.result({ deliveries }, () => {
      ctx.output.table(columns, deliveries);
      if (deliveries.length === 0) ctx.output.info('No deliveries');
    });
  },
});
