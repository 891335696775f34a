import { basename } from 'node:path';
import type { Reconciliation } from '../src/features/reconcile/contract.ts';
import type { Kept } from '../src/features/reconcile/kept/contract.ts';
import { countText } from '../src/lib/figures.ts';
import { type BaseContext, defineCommand } from './command.ts';
import { money, number } from './format.ts';
import type { Column, Output } from './output.ts';
import { chooseProject, projectOption } from './project.ts';
import { readSource } from './read-source.ts';
import { compact, tinted } from './report/figures.ts';
import { facts, section } from './report/pieces.ts';
import { act, withApp } from './session.ts';
import { withFix } from './user-error.ts';

export const reconcile = defineCommand({
  name: 'reconcile',
  summary: "Compare a provider's usage export with the ledger, by day and model",
  args: {
    file: { summary: 'CSV export of a provider or cloud, or a plain CSV; - for standard input' },
  },
  options: {
    ...projectOption,
    account: { value: 'NAME', summary: 'Only lines of this workspace, project or subscription' },
    key: { value: 'NAME', summary: 'Only lines of this API key, as the export names it' },
    keep: { summary: 'Keep the result; see `reconciliations list`' },
    note: { value: 'TEXT', summary: 'Note on the result; implies --keep' },
  },
  examples: [
    'spanledger reconcile completions_usage_2026-10.csv -p assistant',
    'spanledger reconcile claude_costs.csv --account Production',
    'spanledger reconcile october.csv --keep --note "Invoice 2026-10, paid"',
    'spanledger reconcile - --json <invoice.csv',
  ],
  run: async (ctx) => {
    const bytes = new TextEncoder().encode(await readSource(ctx, ctx.args.file));
    const [{ reconcile }, { ofProject, operatorScope }] = await Promise.all([
      import('../src/features/reconcile/index.ts'),
      import('../src/core/tenancy/index.ts'),
    ]);
    const filter = { account: ctx.options.account, key: ctx.options.key };
    const { doc, project } = await withApp(ctx, async (app) => {
      const found = await chooseProject(app.ctx, ctx.options.project);
      const scope = ofProject(operatorScope(found));
      const fix = 'Pass the export as the provider wrote it, or a plain CSV; the README describes both';
      const compared = (await withFix(fix, () => reconcile(app.ctx, scope, { csv: bytes, filter }))).parse();
      return { doc: compared satisfies Reconciliation, project: found.id };
    });
    const isKept = ctx.options.keep || ctx.options.note !== undefined;
    const kept = isKept ? await keep(ctx, { project, result: doc }) : null;
    ctx.output.result(kept === null ? doc : { ...doc, kept }, () => {
      printReconciliation(ctx.output, doc);
      if (kept !== null) ctx.output.success(`Kept as ${kept.id} in ${kept.month}`);
    });
  },
});

type KeepContext = BaseContext & {
  readonly args: { readonly file: string };
  readonly options: { readonly note: string | undefined };
};

/** Keeps a result under the name of its file, with the lines that differ most. */
const keep = async (
  ctx: KeepContext,
  { project, result }: { project: string; result: Reconciliation },
): Promise<Kept> => {
  const { keptSchema, MAX_KEPT_LINES } = await import('../src/features/reconcile/kept/contract.ts');
  const input = {
    project,
    name: ctx.args.file === '-' ? 'standard input' : basename(ctx.args.file),
    note: ctx.options.note ?? '',
    result: { ...result, lines: result.lines.slice(0, MAX_KEPT_LINES) },
  };
  return act(ctx, { action: 'reconciliations.keep', input, reply: keptSchema });
};

type Line = Reconciliation['lines'][number];

const columns: readonly Column<Line>[] = [
  { header: 'from', value: ({ day }) => day, fixed: true },
  { header: 'model', value: ({ model }) => model },
  { header: 'billed', value: ({ invoice }) => money(invoice?.usd ?? null) },
  { header: 'ledger', value: ({ books }) => money(books?.usd ?? null) },
  { header: 'tokens', value: ({ driftTokens }) => (driftTokens === null ? null : compact(driftTokens)) },
  { header: 'reason', value: ({ reasons }) => reasons.map(({ text }) => text).join('; ') },
];

const MOST_LINES = 30;

const apartColumns: readonly Column<Reconciliation['apart'][number]>[] = [
  { header: 'kind', value: ({ kind }) => kind, fixed: true },
  { header: 'line', value: ({ label }) => label },
  {
    header: 'amount',
    value: ({ amount, currency }) => ({ text: `${amount.toFixed(2)} ${currency}`, align: 'right' }),
  },
];

/** A comparison as tables. */
export const printReconciliation = (output: Output, doc: Reconciliation): void => {
  const { invoice, books } = doc;
  output.line(tinted(`${doc.layout} · ${doc.from} – ${doc.to}`, 'bold'));
  const priced = doc.usdFrom === 'prices' ? 'its tokens at current prices' : 'amounts as stated';
  facts(output, [
    { label: 'Billed', value: money(invoice.usd), note: `${priced}, ${number(invoice.calls).text} calls` },
    {
      label: 'Ledger',
      value: money(books.usd),
      note: `${number(books.calls).text} calls, ${number(books.unpriced).text} without a price`,
    },
    { label: 'Difference', value: money(doc.driftUsd) },
  ]);
  const differing = doc.lines.filter(({ differs }) => differs);
  if (doc.apart.length > 0) {
    section(output, 'Shown apart', 'in no other figure');
    output.table(apartColumns, doc.apart);
  }
  if (differing.length === 0) output.success('The ledger matches the invoice');
  else {
    if (doc.reasons.length > 0) section(output, 'Why');
    for (const { lines, driftUsd, text } of doc.reasons)
      output.line(money(driftUsd), text, tinted(`(${lines} ${lines === 1 ? 'line' : 'lines'})`, 'dim'));
    if (doc.counts.unexplained > 0)
      output.warn(`${countText(doc.counts.unexplained, 'line')} differ and the figures do not show why`);
    section(
      output,
      `By ${doc.per}${doc.by === 'model' ? ' and model' : ''}`,
      'differences, largest amount first',
    );
    output.table(columns, differing.slice(0, MOST_LINES));
    if (differing.length > MOST_LINES)
      output.line(tinted(`and ${doc.counts.differing - MOST_LINES} more lines: see --json`, 'dim'));
  }
  for (const { row, why } of doc.ignored) output.warn(`Row ${row} was ignored: ${why}`);
};
