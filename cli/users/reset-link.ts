import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

const reply = z.object({ email: z.string(), url: z.string(), minutes: z.int() });

export const usersResetLink = defineCommand({
  name: 'users reset-link',
  summary: 'Create a link for a person to choose a new password',
  args: { email: { summary: 'E-mail address of the person' } },
  examples: ['spanledger users reset-link grace@example.com'],
  run: async (ctx) => {
    const link = await act(ctx, { action: 'users.reset_link', input: { email: ctx.args.email }, reply });
    ctx.output.result(link, () => {
      ctx.output.raw(`${link.url}\n`);
      ctx.output.info(`For ${link.email}; works once, within ${link.minutes} minutes`);
    });
  },
});
