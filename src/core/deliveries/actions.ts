import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findOrganization } from '../orgs/index.ts';
import { deleteChannel, rotateSecret } from './channels/change-channel.ts';
import { channelInput } from './channels/contract.ts';
import { findChannel, toChannel } from './channels/queries.ts';
import { createChannel, updateChannel } from './channels/set-channel.ts';
import { testChannel } from './channels/test-channel.ts';
import { retryDelivery } from './retry-delivery.ts';

const one = z.object({ id: z.string().min(1).max(100) });

const { name, types, config } = channelInput.shape;
/** What is left out stays. */
const channelChange = z.strictObject({
  name: name.optional(),
  types: types.unwrap().optional(),
  config: config.optional(),
  enabled: z.boolean().optional(),
});

/** The changes of channels and deliveries for the command line: `channels.create` and so on. */
export const deliveryActions = [
  defineAction({
    name: 'channels.create',
    input: z.object({ organization: idOrName, channel: channelInput }),
    run: async (ctx, { organization, channel }, actor) => {
      const { id: organizationId } = await findOrganization(ctx, organization);
      return createChannel(ctx, actor, { organizationId, input: channel });
    },
  }),
  defineAction({
    name: 'channels.update',
    input: one.extend({ change: channelChange }),
    run: async (ctx, { id, change }, actor) => {
      const row = await findChannel(ctx, id);
      const { organizationId, kind } = row;
      const input = {
        kind,
        name: change.name ?? row.name,
        enabled: change.enabled ?? row.enabled,
        types: change.types ?? [...row.types],
        config: { ...toChannel(row).config, ...change.config },
      };
      return updateChannel(ctx, actor, { organizationId, id, input });
    },
  }),
  defineAction({
    name: 'channels.delete',
    input: one,
    run: async (ctx, { id }, actor) => {
      await deleteChannel(ctx, actor, await findChannel(ctx, id));
      return { id };
    },
  }),
  defineAction({
    name: 'channels.rotate_secret',
    input: one,
    run: async (ctx, { id }, actor) => rotateSecret(ctx, actor, await findChannel(ctx, id)),
  }),
  defineAction({
    name: 'channels.test',
    input: one,
    run: async (ctx, { id }, actor) => testChannel(ctx, actor, await findChannel(ctx, id)),
  }),
  defineAction({
    name: 'deliveries.retry',
    input: one,
    run: (ctx, { id }, actor) => retryDelivery(ctx, actor, { id }),
  }),
] as const;
