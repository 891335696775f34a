import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act, withApp } from '../session.ts';

const reply = z.object({ id: z.string(), revokedAt: z.iso.datetime() });

export const keysRevoke = defineCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key at once; its events stay',
  args: { id: { summary: 'Id of the key, or its start', id: 'key' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger keys revoke key_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 --yes'],
  run: async (ctx) => {
    const { output, args, options } = ctx;
    if (!options.yes) {
      const { listKeys } = await import('../../src/core/keys/index.ts');
      const keys = await withApp(ctx, (app) => listKeys(app.ctx));
      const found = keys.find(({ id }) => id === args.id);
      const named = found === undefined ? args.id : `${found.name} of ${found.projectName}`;
      const warning = `Clients that still use the key ${named} will receive 401.`;
      await confirm(ctx, { warning, word: found?.name ?? args.id, yes: false });
    }
    const key = await act(ctx, { action: 'keys.revoke', input: args, reply });
    output.result(key, () => output.success(`Key ${key.id} revoked`));
  },
});
