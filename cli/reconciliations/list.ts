import { z } from 'zod';
import type { Kept } from '../../src/features/reconcile/kept/contract.ts';
import { defineCommand } from '../command.ts';
import { money } from '../format.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'expected a month such as 2026-10');

export const reconciliationsList = defineCommand({
  name: 'reconciliations list',
  summary: 'List kept comparisons with invoices, newest month first',
  options: { ...projectOption, month: { value: 'YYYY-MM', summary: 'Only of this month', type: month } },
  examples: ['spanledger reconciliations list', 'spanledger reconciliations list --month 2026-10 --json'],
  run: async (ctx) => {
    const { listKept } = await import('../../src/features/reconcile/index.ts');
    const reconciliations = await withApp(ctx, async ({ ctx: app }) =>
      listKept(app, (await chooseProject(app, ctx.options.project)).id, { month: ctx.options.month }),
    );
    ctx.output.result({ reconciliations }, () => {
      if (reconciliations.length === 0)
        return ctx.output.info('None kept yet; keep one with `spanledger reconcile FILE --keep`');
      ctx.output.table(columns, reconciliations);
    });
  },
});

const columns: readonly Column<Kept>[] = [
  { header: 'month', value: (kept) => kept.month, fixed: true },
  { header: 'id', value: ({ id }) => id, fixed: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'billed', value: ({ invoiceUsd }) => money(invoiceUsd) },
  { header: 'booked', value: ({ booksUsd }) => money(booksUsd) },
  { header: 'drift', value: ({ driftUsd }) => money(driftUsd) },
  { header: 'note', value: ({ note }) => note },
];
