import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { utcAndLocal } from '../moment.ts';
import { act } from '../session.ts';

const reply = z.object({
  id: z.string(),
  apiKey: z.string(),
  previousId: z.string(),
  previousValidUntil: z.iso.datetime(),
});

export const keysRotate = defineCommand({
  name: 'keys rotate',
  summary: 'Replace an API key; the old one works for another 24 hours',
  args: { id: { summary: 'Id of the key, or its start', id: 'key' } },
  examples: ['spanledger keys rotate key_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { output, args } = ctx;
    const key = await act(ctx, { action: 'keys.rotate', input: args, reply });
    output.result(key, () => {
      output.success(`Key ${key.id} replaces ${key.previousId}`);
      output.raw(`${key.apiKey}\n`);
      output.info('Shown only once. Deploy it before the old key expires.');
      output.info(`The old key works until ${utcAndLocal(Date.parse(key.previousValidUntil))}`);
    });
  },
});
