import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

const reply = z.object({ email: z.string(), url: z.string(), minutes: z.int() });

export const usersResetLink = defineCommand({
  name: 'users reset-link',
  summary: 'Make a link with which a person chooses a new password',
  args: { email: { summary: 'What the person signs in with' } },
  examples: ['spanledger users reset-link grace@example.com'],
  run: async (ctx) => {
    const link = await act(ctx, { action: 'users.reset_link', input: { email: ctx.args.email }, reply });
    ctx.output.result(link, () => {
      ctx.output.raw(`${link.url}\n`);
      ctx.output.info(`For ${link.email}; it works once, within ${link.minutes} minutes`);
    });
  },
});
