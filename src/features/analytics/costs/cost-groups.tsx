import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { useOrder } from '../../../dashboard/shell/lists/order.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { type Scope, useScope } from '../../../dashboard/shell/scope/scope.ts';
import { ShareBar } from '../../../dashboard/ui/charts/share-bar.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { numberText, percentText } from '../../../lib/figures.ts';
import { moneyColumn } from '../../../lib/money-column.ts';
import type { CostBreakdown } from '../contract.ts';
import { alertFieldOf, drillOf, nameOf, wordsOf } from './cost-dimensions.tsx';
import css from './cost-groups.module.css';

type Group = CostBreakdown['groups'][number];
type Row = Group & { readonly kind: 'group' | 'others' | 'total' };

/** Groups that are shown at first. */
const SHOWN = 20;

/** Of costs: so that thousands and their fractions fit below each other. */
const MOST_DECIMALS = 4;

/** The break-down as a table: each group leads to its events, all of them add up to the total. */
export function CostGroups({ breakdown, scope }: { breakdown: CostBreakdown; scope: Scope }): JSX.Element {
  const { by } = breakdown;
  const [all, setAll] = useState(false);
  const order = useOrder(useScope('costs').search, { id: by === 'day' ? 'value' : 'cost', desc: true });
  // Of days the newest is looked for, of all else the dearest.
  const groups = by === 'day' ? breakdown.groups.toReversed() : breakdown.groups;
  const shown = all || groups.length <= SHOWN + 1 ? groups : groups.slice(0, SHOWN);
  const rest = groups.slice(shown.length);
  const rows = shown.map((group): Row => ({ ...group, kind: 'group' }));
  const footer: Row[] = [
    ...(rest.length === 0 ? [] : [{ ...sumOf(rest), kind: 'others' as const, others: rest.length }]),
    { ...sumOf(groups), kind: 'total' },
  ];
  return (
    <>
      <DataTable
        label={`Cost by ${wordsOf(by).label}`}
        columns={columnsOf(by, scope, [...rows, ...footer])}
        rows={rows}
        footer={footer}
        rowKey={({ kind, value, none }) => `${kind} ${none ?? ''} ${value}`}
        order={order}
        csv={`costs-by-${by.replace(/\W+/g, '-')}`}
      />
      {rest.length > 0 && (
        <div className={css.tableMore}>
          <Button variant="subtle" color="gray" onClick={() => setAll(true)}>
            Show all {numberText(groups.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function sumOf(groups: readonly Group[]): Group {
  const sum = (of: (group: Group) => number): number => groups.reduce((total, group) => total + of(group), 0);
  const inputTokens = sum((group) => group.inputTokens);
  const cached = sum((group) => group.cacheRate * group.inputTokens);
  return {
    value: '',
    cost: sum(({ cost }) => cost),
    calls: sum(({ calls }) => calls),
    unpriced: sum(({ unpriced }) => unpriced),
    inputTokens,
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheRate: inputTokens === 0 ? 0 : cached / inputTokens,
    costs: [],
  };
}

/** Columns of a file by the id of the column. */
const CSV_NAMES: Readonly<Record<string, string>> = {
  input: 'input_tokens',
  output: 'output_tokens',
  cache: 'cache_rate',
};

function columnsOf(by: string, scope: Scope, rows: readonly Row[]): Column<Row>[] {
  const money = moneyColumn(
    rows.filter((row) => !isUnpriced(row)).map(({ cost }) => cost),
    MOST_DECIMALS,
  );
  const each = moneyColumn(rows.flatMap((row) => perCall(row) ?? []));
  const total = rows.at(-1)?.cost ?? 0;
  const number = (id: string, header: string, of: (row: Row) => number, text: (value: number) => string) =>
    ({
      id,
      header,
      align: 'right',
      value: of,
      csv: { header: CSV_NAMES[id] ?? id, value: of },
      cell: (row: Row) => text(of(row)),
    }) as const;
  return [
    {
      id: 'value',
      header: wordsOf(by).label,
      wide: true,
      value: (row) => nameOf(by, row),
      csv: { header: by, value: (row) => (row.none ? null : row.value) },
      cell: (row) => <Name by={by} row={row} scope={scope} />,
    },
    number('calls', 'Calls', ({ calls }) => calls, numberText),
    // Early, so that it is in sight on a phone.
    {
      id: 'cost',
      header: 'Cost',
      align: 'right',
      value: ({ cost }) => cost,
      csv: { header: 'cost_usd', value: (row) => (isUnpriced(row) ? null : row.cost) },
      cell: (row) => (isUnpriced(row) ? <span className="badge warn">no price</span> : money(row.cost)),
    },
    {
      id: 'share',
      header: 'Share',
      value: ({ cost }) => cost,
      cell: ({ cost }) => <ShareBar part={cost} whole={total} />,
    },
    number('input', 'Input', ({ inputTokens }) => inputTokens, numberText),
    number('output', 'Output', ({ outputTokens }) => outputTokens, numberText),
    number('cache', 'Cached', ({ cacheRate }) => cacheRate, percentText),
    {
      id: 'unpriced',
      header: 'Unpriced',
      align: 'right',
      value: ({ unpriced }) => unpriced,
      csv: { header: 'unpriced_calls', value: ({ unpriced }) => unpriced },
      cell: (row) => <UnpricedCount by={by} row={row} scope={scope} />,
    },
    {
      id: 'each',
      header: 'Per call',
      align: 'right',
      value: (row) => perCall(row) ?? -1,
      csv: { header: 'cost_per_call_usd', value: perCall },
      cell: (row) => {
        const usd = perCall(row);
        return usd === null ? <span className="dim">–</span> : each(usd);
      },
    },
    { id: 'alert', header: '', cell: (row) => <RowAlert by={by} row={row} /> },
  ];
}

/** A new alert on the cost of a group. */
function RowAlert({ by, row }: Pick<CellProps, 'by' | 'row'>): JSX.Element | null {
  const field = alertFieldOf(by)?.field;
  if (field === undefined || row.kind !== 'group' || row.none || row.others !== undefined) return null;
  return <CreateAlert measure="cost" only={[field, row.value]} of={nameOf(by, row)} />;
}

type CellProps = { readonly by: string; readonly row: Row; readonly scope: Scope };

function Name({ by, row, scope }: CellProps): JSX.Element {
  if (row.kind === 'total') return <>Total</>;
  const name = nameOf(by, row);
  const search = row.kind === 'others' ? null : drillOf(by, row, scope);
  if (search === null) return <span className="dim">{name}</span>;
  return (
    <ProjectLink page="events" search={search} title={name} className="row-link">
      {name}
    </ProjectLink>
  );
}

function UnpricedCount({ by, row, scope }: CellProps): JSX.Element {
  if (row.unpriced === 0) return <span className="dim">–</span>;
  const text = numberText(row.unpriced);
  const filters = row.kind === 'total' ? {} : row.kind === 'others' ? null : drillOf(by, row, scope);
  if (filters === null) return <span className="warn">{text}</span>;
  return (
    <ProjectLink
      page="events"
      search={{ ...filters, costStatus: 'unpriced' }}
      title="Calls without a known price"
    >
      <span className="warn">{text}</span>
    </ProjectLink>
  );
}

const isUnpriced = ({ calls, unpriced }: Group): boolean => unpriced > 0 && unpriced === calls;

/** Dollars over the calls that have a price; null where none has. */
const perCall = ({ cost, calls, unpriced }: Group): number | null =>
  calls === unpriced ? null : cost / (calls - unpriced);
