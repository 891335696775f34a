import { defineCommand } from '../command.ts';
import { withApp } from '../session.ts';
import { channelColumns } from './list.ts';

export const channelsShow = defineCommand({
  name: 'channels show',
  summary: 'Show a channel without its secrets',
  args: { id: { summary: 'Id of the channel, or its start', id: 'channel' } },
  examples: ['spanledger channels show chn_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { findChannel, toChannel } = await import('../../src/core/deliveries/index.ts');
    const channel = await withApp(ctx, async (app) => toChannel(await findChannel(app.ctx, ctx.args.id)));
    ctx.output.result(channel, () => {
      ctx.output.table(channelColumns, [channel]);
      const { types } = channel;
      ctx.output.info(types.length === 0 ? 'Only alerts that name it' : `Subscribed: ${types.join(', ')}`);
    });
  },
});
