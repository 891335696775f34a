import { defineCommand } from '../command.ts';
import { withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { parseWindow } from '../window.ts';
import { chooseChain, entryOptions } from './chain.ts';

export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Print the audit log as CSV, oldest first',
  options: entryOptions,
  examples: ['spanledger audit export >audit.csv', 'spanledger audit export --org acme --start 2026-01-01'],
  run: async (ctx) => {
    const { options, output } = ctx;
    if (output.json)
      throw usageError('The export is always CSV', 'Use `spanledger audit list --json` for JSON');
    const { action, actor, project } = options;
    const window = parseWindow(options, Date.now());
    const { toCsv } = await import('../../src/features/audit/index.ts');
    await withApp(ctx, async (app) => {
      const { id } = await chooseChain(app.ctx, options.org);
      for await (const text of toCsv(app.ctx, id, { ...window, action, actor, projectId: project }))
        output.raw(text);
    });
  },
});
