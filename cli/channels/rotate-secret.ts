import { rotateSecretEndpoint } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import { utcTime } from '../moment.ts';
import { act } from '../session.ts';

export const channelsRotateSecret = defineCommand({
  name: 'channels rotate-secret',
  summary: 'Give a webhook a new signing secret; both sign for 24 hours',
  args: { id: { summary: 'Id of the channel, or its start', id: 'channel' } },
  examples: ['spanledger channels rotate-secret chn_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { reply } = rotateSecretEndpoint;
    const doc = await act(ctx, { action: 'channels.rotate_secret', input: ctx.args, reply });
    ctx.output.result(doc, () => {
      ctx.output.raw(`${doc.secret}\n`);
      ctx.output.info('New signing secret, shown only once.');
      ctx.output.info(`The previous one signs too until ${utcTime(Date.parse(doc.previousValidUntil))}`);
    });
  },
});
