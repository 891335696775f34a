import type { CostBreakdown } from '../../src/features/analytics/contract.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { countText } from '../../src/lib/figures.ts';
import { bar, knownCost, money, number } from '../format.ts';
import type { Column } from '../output.ts';
import { usageError } from '../user-error.ts';
import type { SplitRequest } from './define-report.ts';
import { compact, moneyColumn, percent, tinted } from './figures.ts';
import { unpricedCalls, warnLeftOut } from './pieces.ts';

type Group = CostBreakdown['groups'][number];

/** What a group is that has no value of its own: calls without one, or those of further values; null for a value. */
const withoutValue = (by: string, { none, others }: Group): string | null => {
  if (none) return `no ${by.replace(/^tag:/, '')}`;
  if (others === undefined) return null;
  return others === null ? 'other values' : `${number(others).text} other values`;
};

const csvColumns = (by: string): readonly CsvColumn<Group>[] => [
  { header: 'value', value: (row) => (withoutValue(by, row) === null ? row.value : null) },
  { header: 'name', value: (row) => withoutValue(by, row) ?? row.name },
  { header: 'calls', value: ({ calls }) => calls },
  { header: 'input_tokens', value: ({ inputTokens }) => inputTokens },
  { header: 'output_tokens', value: ({ outputTokens }) => outputTokens },
  {
    header: 'cost',
    value: ({ cost, unpriced, calls }) => (unpriced > 0 && unpriced >= calls ? null : cost),
  },
  { header: 'unpriced', value: ({ unpriced }) => unpriced },
];

/** Rows shown in a terminal; --json and --csv have all. */
const MOST_LINES = 50;

/** Prints costs split by one dimension, highest first, with the unpriced calls of each value. */
export const printCostsBy = async (request: SplitRequest): Promise<void> => {
  const { output, by, csv } = request;
  const doc = await readBreakdown(request);
  warnLeftOut(output, doc);
  if (csv) return output.raw(toCsv(csvColumns(by), doc.groups));
  output.result(doc, () => {
    const { groups } = doc;
    const total = groups.reduce((sum, { cost }) => sum + cost, 0);
    const unpriced = groups.reduce((sum, group) => sum + group.unpriced, 0);
    const top = groups[0]?.cost ?? 0;
    const cost = moneyColumn(total < 1 ? groups.map((group) => group.cost) : []);
    const columns: readonly Column<Group>[] = [
      {
        header: by,
        value: (row) => {
          const label = withoutValue(by, row);
          return label === null ? (row.name ?? row.value) : tinted(label, 'dim');
        },
      },
      { header: 'calls', value: ({ calls }) => number(calls) },
      { header: 'tokens', value: (row) => compact(row.inputTokens + row.outputTokens) },
      {
        header: 'unpriced',
        value: (row) => ({ ...number(row.unpriced), tone: row.unpriced > 0 ? 'warn' : 'dim' }),
      },
      { header: 'cost', value: (row) => knownCost(cost(row.cost), row) },
      { header: 'share', value: (row) => (total === 0 ? null : percent(row.cost / total)) },
      { header: '', value: (row) => bar(row.cost, top, 12), fixed: true, spare: true },
    ];
    if (groups.length === 0) return output.line('No calls in this window.');
    const own = groups.filter(({ others }) => others === undefined);
    const merged = groups.filter(({ others }) => others !== undefined);
    output.table(columns, [...own.slice(0, MOST_LINES), ...merged]);
    if (own.length > MOST_LINES)
      output.line(
        tinted(`and ${countText(own.length - MOST_LINES, 'more value')}, with --json or --csv`, 'dim'),
      );
    if (merged.some(({ others }) => others === null))
      output.line(
        tinted('A tag has sums for its first 1,000 values; later ones are in “other values”', 'dim'),
      );
    const calls = groups.reduce((sum, group) => sum + group.calls, 0);
    output.line(tinted('Total', 'dim'), knownCost(money(total), { unpriced, calls }));
    if (unpriced > 0) output.line(tinted(`! ${unpricedCalls({ unpriced, calls })}`, 'warn'));
  });
};

async function readBreakdown({ source, project, input, by }: SplitRequest): Promise<CostBreakdown> {
  const { breakdownBy, readCostBreakdown, readDayBreakdown } = await import(
    '../../src/features/analytics/index.ts'
  );
  const dimension = breakdownBy(by === 'user' ? 'userId' : by);
  const { COST_DIMENSIONS, costBreakdownEndpoint } = await import('../../src/features/analytics/contract.ts');
  if (by !== 'day' && dimension === null) {
    const names = COST_DIMENSIONS.map((name) => (name === 'userId' ? 'user' : name));
    throw usageError(`--by ${by} is unknown`, `Use ${names.join(', ')}, key, tag:NAME or day`);
  }
  if (source.kind === 'server') {
    return source.server.get(costBreakdownEndpoint, {
      query: { ...source.query, by: by === 'user' ? 'userId' : by },
    });
  }
  const { app, scope } = source;
  if (dimension === null) return readDayBreakdown(app, scope, input);
  const doc = await readCostBreakdown(app, scope, { ...input, by: dimension });
  if (by !== 'key') return doc;
  const { listKeys } = await import('../../src/core/keys/index.ts');
  const names = new Map((await listKeys(app, project.id)).map(({ id, name }) => [id, name]));
  return {
    ...doc,
    groups: doc.groups.map((group) => ({ ...group, name: names.get(group.value) ?? group.value })),
  };
}
