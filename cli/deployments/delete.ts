import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const deploymentsDelete = defineCommand({
  name: 'deployments delete',
  summary: 'Delete a deployment; events of the release do not bring it back',
  args: { id: { summary: 'Id of the deployment' } },
  examples: ['spanledger deployments delete dep_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'deployments.delete', input: ctx.args, reply });
    ctx.output.result(doc, () => ctx.output.success(`Deployment ${doc.id} deleted`));
  },
});
