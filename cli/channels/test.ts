import { testOutcome } from '../../src/core/deliveries/channels/contract.ts';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';
import { EXIT } from '../user-error.ts';

export const channelsTest = defineCommand({
  name: 'channels test',
  summary: 'Send a test message to a channel and print the outcome',
  args: { id: { summary: 'Id of the channel, or its start', id: 'channel' } },
  examples: ['spanledger channels test chn_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const outcome = await act(ctx, { action: 'channels.test', input: ctx.args, reply: testOutcome });
    ctx.output.result(outcome, () => {
      const { ok, status, error, durationMs } = outcome;
      const code = status === null ? '' : ` (HTTP ${status})`;
      if (ok) ctx.output.success(`The message arrived${code} after ${durationMs} ms`);
      else ctx.output.warn(`The message did not arrive: ${error}`);
    });
    return outcome.ok ? EXIT.ok : EXIT.failure;
  },
});
