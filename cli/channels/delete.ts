import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act } from '../session.ts';

export const channelsDelete = defineCommand({
  name: 'channels delete',
  summary: 'Delete a channel with its deliveries',
  args: { id: { summary: 'Id of the channel, or its start', id: 'channel' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger channels delete chn_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 --yes'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const warning = `Notifications will no longer be sent to ${args.id}.`;
    await confirm(ctx, { warning, word: args.id, yes: options.yes });
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'channels.delete', input: args, reply });
    output.result(doc, () => output.success(`Channel ${doc.id} deleted`));
  },
});
