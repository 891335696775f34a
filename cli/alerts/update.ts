import { alertSchema } from '../../src/features/alerts/contract.ts';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';
import { readRule } from './read-rule.ts';

export const alertsUpdate = defineCommand({
  name: 'alerts update',
  summary: 'Replace the rule of an alert by one in JSON or YAML',
  args: {
    id: { summary: 'Id of the alert, or its start', id: 'alert' },
    file: { summary: 'File with the rule, or - for stdin' },
  },
  examples: ['spanledger alerts update alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 errors.yaml'],
  run: async (ctx) => {
    const alert = await readRule(ctx, ctx.args.file);
    const input = { id: ctx.args.id, alert };
    const doc = await act(ctx, { action: 'alerts.update', input, reply: alertSchema });
    ctx.output.result(doc, () => ctx.output.success(`Alert ${doc.id} replaced`));
  },
});
