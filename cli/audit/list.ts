import { z } from 'zod';
import type { AuditEntry } from '../../src/features/audit/contract.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { withApp } from '../session.ts';
import { parseWindow } from '../window.ts';
import { chooseChain, entryOptions } from './chain.ts';

const columns: readonly Column<AuditEntry>[] = [
  { header: 'when (UTC)', value: ({ timestamp }) => shortTime(Date.parse(timestamp)), fixed: true },
  {
    header: 'who',
    value: ({ actor }) => `${actor.email ?? actor.id}${actor.kind === 'token' ? ' (token)' : ''}`,
  },
  { header: 'did', value: ({ action }) => ({ text: action, tone: 'accent' }) },
  { header: 'to', value: ({ subject }) => ({ text: subject?.id ?? '', tone: 'dim' }) },
];

const limit = z
  .string()
  .regex(/^\d{1,3}$/, 'not a number from 1 to 200')
  .transform(Number)
  .pipe(z.int().min(1).max(200, 'more than 200; page with --cursor'));

export const auditList = defineCommand({
  name: 'audit list',
  summary: 'List audit entries (who changed what), newest first',
  options: {
    ...entryOptions,
    limit: { value: 'N', summary: 'Entries per page, at most 200', default: '50', type: limit },
    cursor: { value: 'CURSOR', summary: 'The nextCursor of the previous page' },
  },
  examples: [
    'spanledger audit list',
    'spanledger audit list --action project. --start 7d',
    'spanledger audit list --org installation --json',
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { action, actor, project, limit, cursor } = options;
    const window = parseWindow(options, Date.now());
    const { listAudit } = await import('../../src/features/audit/index.ts');
    const page = await withApp(ctx, async (app) => {
      const { id } = await chooseChain(app.ctx, options.org);
      const input = { ...window, action, actor, projectId: project, limit, cursor: cursor ?? null };
      const scope = { projects: [], organizationId: id };
      return (await app.ctx.db.read(listAudit, scope, input)).parse();
    });
    output.result(page, () => {
      output.table(columns, page.entries);
      if (page.entries.length === 0) output.info('No entries.');
      if (page.nextCursor !== null) output.info(`For the next page add --cursor ${page.nextCursor}`);
    });
  },
});
