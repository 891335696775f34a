import { channelSchema } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';
import { usageError } from '../user-error.ts';
import { channelColumns } from './list.ts';

export const channelsUpdate = defineCommand({
  name: 'channels update',
  summary: 'Change the name, the recipients or the subscriptions of a channel',
  args: { id: { summary: 'Id of the channel, or its start', id: 'channel' } },
  options: {
    name: { value: 'NAME', summary: 'Another name' },
    to: { value: 'EMAIL', summary: 'Recipient of an e-mail channel; repeat for several', repeat: true },
    type: {
      value: 'TYPE',
      summary: 'Notification to subscribe to; repeat. Replaces the subscriptions',
      repeat: true,
    },
    alertsOnly: { summary: 'Subscribe to nothing: only alerts that name the channel use it' },
    enable: { summary: 'Send notifications again' },
    disable: { summary: 'Stop sending; waiting deliveries are given up' },
  },
  examples: [
    'spanledger channels update chn_0198c2f5 --type reconcile.drift',
    'spanledger channels update chn_0198c2f5 --to ops@example.com --enable',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { name, to, type, alertsOnly, enable, disable } = options;
    if (enable && disable)
      throw usageError('--enable and --disable contradict each other', 'Give one of them');
    if (alertsOnly && type.length > 0)
      throw usageError('--type and --alerts-only contradict each other', 'Give one of them');
    const change = {
      ...(name !== undefined && { name }),
      ...(to.length > 0 && { config: { to } }),
      ...((alertsOnly || type.length > 0) && { types: type }),
      ...((enable || disable) && { enabled: enable }),
    };
    if (Object.keys(change).length === 0)
      throw usageError('Nothing to change', 'Give an option such as --name or --type');
    const input = { id: args.id, change };
    const channel = await act(ctx, { action: 'channels.update', input, reply: channelSchema });
    output.result(channel, () => {
      output.table(channelColumns, [channel]);
      const { types } = channel;
      output.success(
        types.length === 0 ? 'Only alerts that name it use it' : `Subscribed: ${types.join(', ')}`,
      );
    });
  },
});
