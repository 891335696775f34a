import { alertSchema } from '../../src/features/alerts/contract.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { act } from '../session.ts';

const args = { id: { summary: 'Id of the alert, or its start', id: 'alert' } } as const;

async function setEnabled(ctx: BaseContext, id: string, enabled: boolean): Promise<void> {
  const doc = await act(ctx, { action: 'alerts.enable', input: { id, enabled }, reply: alertSchema });
  ctx.output.result(doc, () => ctx.output.success(`Alert ${doc.name} ${enabled ? 'enabled' : 'disabled'}`));
}

export const alertsEnable = defineCommand({
  name: 'alerts enable',
  summary: 'Evaluate an alert again',
  args,
  examples: ['spanledger alerts enable alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: (ctx) => setEnabled(ctx, ctx.args.id, true),
});

export const alertsDisable = defineCommand({
  name: 'alerts disable',
  summary: 'Stop evaluating an alert; groups that fire are resolved',
  args,
  examples: ['spanledger alerts disable alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: (ctx) => setEnabled(ctx, ctx.args.id, false),
});
