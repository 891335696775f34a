import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { countText, numberText } from '../../../lib/figures.ts';
import { exactColumn } from '../../../lib/money-column.ts';
import type { StatementBy, StatementSummary, Statements } from '../contract.ts';
import { monthText, statementsApi } from './apis.ts';
import css from './statements.module.css';

type Props = {
  readonly by: StatementBy;
  readonly month: string;
  /** A definition adds more to the cost. */
  readonly hasTerms: boolean;
};

/** The statements of a month, the highest cost first, with their sum. */
export function StatementTable({ by, month, hasTerms }: Props): JSX.Element {
  const { organizationId } = useMember();
  const pages = usePages(
    statementsApi,
    { params: { id: organizationId }, query: { by, month } },
    { enabled: organizationId !== '' },
  );
  return (
    <Loaded
      of={{ ...pages, data: pages.data?.pages } as never}
      loading={
        <Panel flush>
          <LoadingRows rows={6} />
        </Panel>
      }
    >
      {(loaded: Statements[]) => {
        const [first] = loaded;
        if (first === undefined || first.count === 0)
          return (
            <Panel>
              <Notice icon="costs" title={`No calls in ${monthText(month)}`}>
                Choose another month, or send events.
              </Notice>
            </Panel>
          );
        const rows = loaded.flatMap(({ statements }) => statements);
        return (
          <div className="stack">
            <Panel flush>
              <DataTable
                label="Statements"
                phone={['name', 'calls', 'cost', 'total']}
                columns={columnsOf(first, rows, { by, month })}
                rows={rows}
                rowKey={({ party, projectId }) => JSON.stringify([projectId, party])}
              />
              {pages.hasNextPage && (
                <div className={css.more}>
                  <Button
                    variant="default"
                    size="xs"
                    loading={pages.isFetchingNextPage}
                    onClick={() => void pages.fetchNextPage()}
                  >
                    Load more of {numberText(first.count)}
                  </Button>
                </div>
              )}
            </Panel>
            <Sum of={first} hasTerms={hasTerms} />
          </div>
        );
      }}
    </Loaded>
  );
}

function columnsOf(
  { currency }: Statements,
  rows: readonly StatementSummary[],
  { by, month }: Pick<Props, 'by' | 'month'>,
): Column<StatementSummary>[] {
  const cost = exactColumn(rows.map(({ costNano }) => costNano));
  const corrections = exactColumn(rows.map(({ correctionsNano }) => correctionsNano));
  const hasCorrections = rows.some(({ correctionsNano }) => correctionsNano !== 0);
  return [
    {
      id: 'name',
      header: 'Party',
      value: ({ name }) => name,
      wide: true,
      cell: ({ name, party, projectId }) => (
        <ProjectLink
          page="statements/party"
          search={{ by, month, party: party ?? undefined, of: projectId ?? undefined }}
          className="row-link"
        >
          {name}
        </ProjectLink>
      ),
    },
    {
      id: 'calls',
      header: 'Calls',
      value: ({ calls }) => calls,
      align: 'right',
      cell: ({ calls }) => numberText(calls),
    },
    {
      id: 'unpriced',
      header: 'Unpriced',
      value: ({ unpriced }) => unpriced,
      align: 'right',
      cell: ({ unpriced }) => (unpriced === 0 ? '' : <span className="warn">{numberText(unpriced)}</span>),
    },
    {
      id: 'cost',
      header: 'Cost',
      value: ({ costNano }) => costNano,
      align: 'right',
      cell: ({ costNano }) => cost(costNano),
    },
    ...(hasCorrections
      ? [
          {
            id: 'corrections',
            header: 'Corrections',
            value: ({ correctionsNano }: StatementSummary) => correctionsNano,
            align: 'right' as const,
            cell: ({ correctionsNano }: StatementSummary) =>
              correctionsNano === 0 ? '' : corrections(correctionsNano),
          },
        ]
      : []),
    {
      id: 'total',
      header: `Total, ${currency}`,
      value: ({ total }) => Number(total),
      align: 'right',
      cell: ({ total }) => total,
    },
  ];
}

function Sum({ of, hasTerms }: { of: Statements; hasTerms: boolean }): JSX.Element {
  const { count, costNano, correctionsNano, total, currency, closedAt, unpriced, month } = of;
  const amount = exactColumn([costNano, correctionsNano]);
  return (
    <p className="dim lead" role="status">
      {closedAt === null
        ? `${monthText(month)} is open: figures still change.`
        : `${monthText(month)} was closed on ${timeText.date(closedAt, UTC)} and does not change.`}{' '}
      {countText(count, 'statement')} with a cost of {amount(costNano)}
      {correctionsNano !== 0 && ` and corrections of ${amount(correctionsNano)}`}, which is the cost in the
      ledger to the nano-dollar; {total} {currency} in all.
      {hasTerms && ' The total adds the markup, fees and minimum of the settings; a statement lists each.'}
      {unpriced > 0 && ` ${countText(unpriced, 'call')} without a known price are in no amount.`}
    </p>
  );
}
