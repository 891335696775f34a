import type { MetricsReply } from '../../src/core/events/query/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { type CellValue, percentChange, sparkline } from '../format.ts';
import { span } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { figureCell, printUnpriced } from './figure-cell.ts';
import { printHistogram, printMatrix } from './print-shapes.ts';
import { valueName } from './value-name.ts';

type Row = {
  readonly names: readonly CellValue[];
  readonly figures: MetricsReply['total'];
};

/** Prints groups with their figures, a table of two dimensions, or, without dimensions, the steps; then the histogram. */
export function printReply(output: Output, reply: MetricsReply): void {
  const { start, end, timeZone, steps } = reply;
  output.line(tinted(`${span(Date.parse(start), Date.parse(end))} · ${timeZone}`, 'dim'));
  output.raw('\n');
  if (reply.matrix !== undefined) printMatrix(output, reply);
  else if (reply.groupBy.length === 0 && steps.length > 0) printSteps(output, reply);
  else printGroups(output, reply);
  printUnpriced(output, reply.total);
  printHistogram(output, reply);
}

function printGroups(output: Output, reply: MetricsReply): void {
  const { groups, others, total, groupBy, measures } = reply;
  const rows: Row[] = [
    ...groups.map((figures) => ({
      names: groupBy.map((name) => valueName(name, figures.key[name] ?? null)),
      figures,
    })),
    ...(others === null
      ? []
      : [
          {
            names: [tinted(countText(others.groups, 'other'), 'dim'), ...groupBy.slice(1).map(() => '')],
            figures: others,
          },
        ]),
    { names: [tinted('total', 'bold'), ...groupBy.slice(1).map(() => '')], figures: total },
  ];
  const columns: Column<Row>[] = [
    ...(groupBy.length === 0 ? [''] : groupBy).map((header, place) => ({
      header,
      value: ({ names }: Row) => names[place],
    })),
    ...measures.flatMap((measure): Column<Row>[] => columnsOf(measure, total.previous !== undefined)),
  ];
  const [first] = measures;
  if (first !== undefined && reply.steps.length > 1 && reply.steps.length <= 62)
    columns.push({
      header: `${first.name} per ${reply.bucket}`,
      value: ({ figures }) => sparkline(figures.series?.[first.name] ?? []),
      fixed: true,
    });
  output.table(columns, rows);
}

function columnsOf(measure: MetricsReply['measures'][number], isCompared: boolean): Column<Row>[] {
  const { name } = measure;
  const own: Column<Row> = {
    header: name,
    value: ({ figures }) => figureCell(measure, figures.values[name] ?? null, figures.unpriced),
  };
  if (!isCompared) return [own];
  return [
    own,
    {
      header: 'change',
      value: ({ figures: { values, previous } }) => {
        const current = values[name] ?? null;
        return current === null ? null : percentChange(current, previous?.values[name]);
      },
    },
  ];
}

function printSteps(output: Output, { steps, total, measures, timeZone }: MetricsReply): void {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const rows = steps.map((step, place) => ({ step, place }));
  output.table(
    [
      { header: 'start', value: ({ step }) => format.format(Date.parse(step.start)) },
      ...measures.map((measure) => ({
        header: measure.name,
        value: ({ place }: { readonly place: number }) =>
          figureCell(measure, total.series?.[measure.name]?.[place] ?? null, total.unpricedSeries?.[place]),
      })),
      { header: '', value: ({ step }) => (step.partial ? tinted('partial', 'dim') : '') },
    ],
    rows,
  );
}
