import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const silencesDelete = defineCommand({
  name: 'silences delete',
  summary: 'End a silence',
  args: { id: { summary: 'Id of the silence, or its start', id: 'silence' } },
  examples: ['spanledger silences delete sil_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'silences.delete', input: ctx.args, reply });
    ctx.output.result(doc, () => ctx.output.success(`Silence ${doc.id} deleted`));
  },
});
