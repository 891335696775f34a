import { z } from 'zod';
import { type Kept, listKeptEndpoint } from '../../src/features/reconcile/kept/contract.ts';
import { defineCommand } from '../command.ts';
import { money } from '../format.ts';
import type { Column } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'expected a month such as 2026-10');

export const reconciliationsList = defineCommand({
  name: 'reconciliations list',
  summary: 'List kept comparisons with invoices, newest month first',
  options: { ...projectOption, month: { value: 'YYYY-MM', summary: 'Only of this month', type: month } },
  examples: ['spanledger reconciliations list', 'spanledger reconciliations list --month 2026-10 --json'],
  run: async (ctx) => {
    const { listKept } = await import('../../src/features/reconcile/index.ts');
    const { month } = ctx.options;
    const reconciliations = await readOfProject<readonly Kept[]>(ctx, ctx.options.project, {
      file: (app, _, { id }) => listKept(app, id, { month }),
      server: async (server, { id: projectId }) =>
        (await server.get(listKeptEndpoint, { query: { projectId, month } })).reconciliations,
    });
    ctx.output.result({ reconciliations }, () => {
      if (reconciliations.length === 0)
        return ctx.output.info('None kept yet; keep one with `spanledger reconcile FILE --keep`');
      ctx.output.table(columns, reconciliations);
    });
  },
});

const columns: readonly Column<Kept>[] = [
  { header: 'month', value: (kept) => kept.month, fixed: true },
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'billed', value: ({ invoiceUsd }) => money(invoiceUsd) },
  { header: 'ledger', value: ({ booksUsd }) => money(booksUsd) },
  { header: 'difference', value: ({ driftUsd }) => money(driftUsd) },
  { header: 'note', value: ({ note }) => note },
];
