import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act } from '../session.ts';

const reply = z.object({ id: z.string(), revokedAt: z.iso.datetime() });

export const keysRevoke = defineCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key at once; its events stay',
  args: { id: { summary: 'Id of the key' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger keys revoke key_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 --yes'],
  run: async (ctx) => {
    const { output, args, options } = ctx;
    const warning = `Clients that still use ${args.id} will receive 401.`;
    await confirm(ctx, { warning, word: args.id, yes: options.yes });
    const key = await act(ctx, { action: 'keys.revoke', input: args, reply });
    output.result(key, () => output.success(`Key ${key.id} revoked`));
  },
});
