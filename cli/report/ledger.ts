import type { Statement, StatementLine } from '../../src/features/costs/statement.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { defineCommand } from '../command.ts';
import { type Cell, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { parseMoment } from '../window.ts';
import { compact, tinted } from './figures.ts';

/** Nano-dollars to the last digit. */
const exact = (nano: number): Cell => ({ text: `$${(nano / 1e9).toFixed(9)}`, align: 'right' });

export const reportLedger = defineCommand({
  name: 'report ledger',
  summary: "Print a day's statement: each model and environment, and the total that they add up to",
  options: {
    ...projectOption,
    day: { value: 'DAY', summary: 'A UTC day such as 2026-11-20, or an age such as 1d', default: '1d' },
  },
  examples: ['spanledger report ledger', 'spanledger report ledger --day 2026-11-20 --json'],
  run: async (ctx) => {
    const day = Math.floor(parseMoment('--day', ctx.options.day, Date.now()) / DAY_MS);
    const { statementRead } = await import('../../src/features/costs/statement.ts');
    const doc: Statement = await withApp(ctx, async (app) => {
      const project = await chooseProject(app.ctx, ctx.options.project);
      return JSON.parse(await app.ctx.db.read(statementRead, [project.no], { day }));
    });
    ctx.output.result(doc, () => print(ctx.output, doc));
  },
});

const columns: readonly Column<StatementLine>[] = [
  { header: 'model', value: ({ provider, model }) => (provider === null ? model : `${provider}/${model}`) },
  { header: 'environment', value: ({ environment }) => environment },
  { header: 'calls', value: ({ calls }) => number(calls) },
  {
    header: 'input',
    value: (row) => compact(row.freshTokens + row.cacheReadTokens + row.cacheWriteTokens),
  },
  { header: 'output', value: ({ outputTokens }) => compact(outputTokens) },
  { header: 'unpriced', value: ({ unpriced }) => number(unpriced) },
  {
    header: 'amount',
    value: ({ amountNano, calls, unpriced }) => (calls === unpriced ? null : exact(amountNano)),
  },
];

const print = (output: Output, { day, lines, totalNano, addsUp, calls, unpriced }: Statement): void => {
  output.line(tinted(`Statement of ${day}`, 'bold'), tinted('UTC', 'dim'));
  if (lines.length === 0) {
    output.line('No calls on this day.');
    return;
  }
  output.table(columns, lines);
  output.line(tinted('Total', 'bold'), exact(totalNano), tinted(`of ${number(calls).text} calls`, 'dim'));
  if (!addsUp) output.warn('The lines do not add up to the total: run `spanledger doctor` and tell us');
  if (unpriced > 0)
    output.line(tinted(`! ${number(unpriced).text} calls have no known price and are in no amount`, 'warn'));
};
