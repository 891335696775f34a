import { listService, type Service } from '../../context.ts';
import { listen, type Module } from '../../module.ts';
import { deliveryActions } from './actions.ts';
import { testLimit } from './channels/test-channel.ts';
import { notificationsWritten } from './notify.ts';
import { deliveryRoutes } from './routes.ts';
import { createSender, type Sender } from './worker/sender.ts';

const sender: Service<Sender> = {
  name: 'deliveries',
  open: createSender,
  close: (opened) => opened.close(),
};

/** Channels of organizations, and the notifications on their way to them. */
export const deliveriesModule: Module = {
  name: 'deliveries',
  tables: [
    {
      name: 'deliveries',
      scope: 'organization',
      by: 'organization_id',
      alsoBy: 'project_id',
      key: ['id'],
      retention: { ends: 'finished_at', keptDays: 30 },
      eraseUser: { deleteWhere: 'user_id = ?', receipt: 'deliveries' },
    },
    { name: 'channels', scope: 'organization', by: 'organization_id', key: ['id'] },
  ],
  routes: deliveryRoutes,
  actions: deliveryActions,
  services: [listService(sender), listService(testLimit)],
  on: [listen(notificationsWritten, (ctx) => ctx.use(sender).wake())],
  jobs: [
    {
      name: 'deliveries.send',
      summary: 'Send notifications that are due',
      schedule: '* * * * *',
      quiet: true,
      run: async (ctx, signal) => {
        const attempts = await ctx.use(sender).drain(signal);
        return attempts === 0 ? {} : { attempts };
      },
    },
  ],
};

export {
  checkChannels,
  findChannel,
  listChannels,
  listTroubledChannels,
  toChannel,
} from './channels/queries.ts';
export { signatureHeaders } from './formats/webhook.ts';
export {
  createNotifier,
  type Notification,
  notificationStatement,
  notificationsWritten,
} from './notify.ts';
export { deliveriesOfMessages, deliveryBacklog, listDeliveries } from './queries.ts';
