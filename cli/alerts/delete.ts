import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const alertsDelete = defineCommand({
  name: 'alerts delete',
  summary: 'Delete an alert with its history',
  args: { id: { summary: 'Id of the alert, or its start', id: 'alert' } },
  examples: ['spanledger alerts delete alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'alerts.delete', input: ctx.args, reply });
    ctx.output.result(doc, () => ctx.output.success(`Alert ${doc.id} deleted`));
  },
});
