import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import { deleteChannel, rotateSecret } from './channels/change-channel.ts';
import {
  createChannelEndpoint,
  deleteChannelEndpoint,
  getChannelEndpoint,
  listChannelsEndpoint,
  rotateSecretEndpoint,
  testChannelEndpoint,
  updateChannelEndpoint,
} from './channels/contract.ts';
import { findChannel, listChannels, toChannel } from './channels/queries.ts';
import { createChannel, updateChannel } from './channels/set-channel.ts';
import { testChannel } from './channels/test-channel.ts';
import { listDeliveriesEndpoint, retryDeliveryEndpoint } from './contract.ts';
import { listDeliveries } from './queries.ts';
import { retryDelivery } from './retry-delivery.ts';

/** No cache may keep a reply that shows a secret. */
const NO_STORE = { 'Cache-Control': 'no-store' };

export const deliveryRoutes = [
  route(listChannelsEndpoint, async (ctx, _input, { organizationId }) => ({
    channels: await listChannels(ctx, organizationId),
    nextCursor: null,
  })),

  route(getChannelEndpoint, async (ctx, { params }, { organizationId }) =>
    toChannel(await findChannel(ctx, params.id, organizationId)),
  ),

  route(createChannelEndpoint, async (ctx, input, caller) => {
    const { organizationId } = caller;
    const made = await createChannel(ctx, actorOf(caller, input), { organizationId, input: input.body });
    return new Reply(201, made, NO_STORE);
  }),

  route(updateChannelEndpoint, (ctx, input, caller) =>
    updateChannel(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      id: input.params.id,
      input: input.body,
    }),
  ),

  route(deleteChannelEndpoint, async (ctx, input, caller) => {
    const { organizationId } = caller;
    await deleteChannel(ctx, actorOf(caller, input), { organizationId, id: input.params.id });
    return null;
  }),

  route(rotateSecretEndpoint, async (ctx, input, caller) => {
    const of = { organizationId: caller.organizationId, id: input.params.id };
    return new Reply(200, await rotateSecret(ctx, actorOf(caller, input), of), NO_STORE);
  }),

  route(testChannelEndpoint, async (ctx, input, caller) =>
    testChannel(ctx, actorOf(caller, input), await findChannel(ctx, input.params.id, caller.organizationId)),
  ),

  route(listDeliveriesEndpoint, (ctx, { query }, { organizationId }) =>
    listDeliveries(ctx, organizationId, query),
  ),

  route(retryDeliveryEndpoint, (ctx, input, caller) =>
    retryDelivery(ctx, actorOf(caller, input), {
      organizationId: caller.organizationId,
      id: input.params.id,
    }),
  ),
];
