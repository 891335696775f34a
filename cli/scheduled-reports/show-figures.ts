import type { ReportFigures } from '../../src/features/scheduled-reports/figures/contract.ts';
import { countText, moneyText, numberText, percentText } from '../../src/lib/figures.ts';
import {
  costBeforeText,
  costChangeText,
  costText,
  dimensionLabel,
  incompleteTexts,
  keyFigures,
  periodText,
  valueLabel,
} from '../../src/lib/reports/labels.ts';
import type { Cell } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { section } from '../report/pieces.ts';

const right = (text: string): Cell => ({ text, align: 'right' });
const figure = <Row>(header: string, text: (row: Row) => string): Column<Row> => ({
  header,
  value: (row) => right(text(row)),
});

/** Prints the figures of a report: the same as in its mail. */
export function printFigures(output: Output, figures: ReportFigures): void {
  const { timeZone, previous } = figures;
  const before = periodText({ ...previous, timeZone });
  section(output, `${figures.subject}, ${periodText(figures)}`, `${timeZone}, compared with ${before}`);
  type KeyFigure = ReturnType<typeof keyFigures>[number];
  output.table<KeyFigure>(
    [
      { header: '', value: ({ label }) => label },
      figure('period', ({ current }) => current),
      figure('before', (row) => row.previous),
      figure('change', ({ change }) => change),
    ],
    keyFigures(figures),
  );
  for (const { by, groups, others } of figures.sections) {
    if (groups.length === 0) continue;
    section(output, `By ${dimensionLabel(by).toLowerCase()}`);
    type Group = (typeof groups)[number];
    output.table<Group>(
      [
        { header: dimensionLabel(by).toLowerCase(), value: ({ value }) => valueLabel(by, value) },
        figure('cost', ({ cost, unpriced }) => costText(cost, unpriced)),
        figure('before', costBeforeText),
        figure('change', costChangeText),
        figure('calls', ({ calls }) => numberText(calls)),
      ],
      groups,
    );
    if (others !== null)
      output.line(tinted(`and ${others.groups} more: ${costText(others.cost, others.unpriced)}`, 'dim'));
  }
  printChanges(output, figures);
  printWarnings(output, figures);
}

function printChanges(output: Output, { changes }: ReportFigures): void {
  if (changes.length === 0) return;
  section(output, 'Biggest changes');
  type Change = (typeof changes)[number];
  output.table<Change>(
    [
      { header: '', value: ({ by, value }) => `${dimensionLabel(by)}: ${valueLabel(by, value)}` },
      figure('cost', ({ cost, unpriced }) =>
        cost.current === null && unpriced === 0 ? '–' : costText(cost, unpriced),
      ),
      figure('before', costBeforeText),
      figure('change', costChangeText),
    ],
    changes,
  );
}

function printWarnings(output: Output, figures: ReportFigures): void {
  const lines = [
    ...figures.unpricedModels.map(
      ({ model, calls }) =>
        `${model ?? 'calls without a model'}: ${countText(calls, 'call')} without a price`,
    ),
    ...figures.budgets.map(
      ({ name, fraction, limitUsd }) => `budget ${name}: ${percentText(fraction)} of ${moneyText(limitUsd)}`,
    ),
    ...incompleteTexts(figures),
  ];
  if (lines.length > 0) output.raw('\n');
  for (const line of lines) output.line(tinted(`! ${line}`, 'warn'));
}
