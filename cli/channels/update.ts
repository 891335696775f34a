import { channelSchema } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { readTarget, targetOptions } from './config.ts';
import { channelColumns } from './list.ts';

export const channelsUpdate = defineCommand({
  name: 'channels update',
  summary: 'Change the name, the target or the subscriptions of a channel',
  args: { id: { summary: 'Id of the channel, or its start', id: 'channel' } },
  options: {
    name: { value: 'NAME', summary: 'Another name' },
    ...targetOptions,
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
    'spanledger channels update chn_0198c2f5 --url https://example.com/hook',
    'spanledger channels update chn_0198c2f5 --secret-stdin < slack-url.txt',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { name, type, alertsOnly, enable, disable } = options;
    if (enable && disable)
      throw usageError('--enable and --disable contradict each other', 'Give one of them');
    if (alertsOnly && type.length > 0)
      throw usageError('--type and --alerts-only contradict each other', 'Give one of them');
    const config = await readTarget(ctx, options, async () => {
      const { findChannel } = await import('../../src/core/deliveries/index.ts');
      return withApp(ctx, async (app) => (await findChannel(app.ctx, args.id)).kind);
    });
    const change = {
      ...(name !== undefined && { name }),
      ...(config !== undefined && { config }),
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
