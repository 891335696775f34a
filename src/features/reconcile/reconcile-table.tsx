import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { compactText, numberText } from '../../lib/figures.ts';
import { moneyColumn, signed } from '../../lib/money-column.ts';
import type { Reconciliation } from './contract.ts';

type Line = Reconciliation['lines'][number];

const DECIMALS = 4;
const unknown = <span className="dim">–</span>;

/** Days and models of an export and of the ledger, largest difference first. */
export function ReconcileTable({
  lines,
  per,
}: {
  lines: readonly Line[];
  per: Reconciliation['per'];
}): JSX.Element {
  const write = moneyColumn(
    lines.flatMap(({ invoice, books }) => [invoice?.usd ?? 0, books?.usd ?? 0]),
    DECIMALS,
  );
  const drift = signed(write);
  const columns: Column<Line>[] = [
    {
      id: 'day',
      header: per === 'day' ? 'Day' : 'Month',
      value: ({ day }) => day,
      cell: ({ day }) => (per === 'day' ? day : day.slice(0, 7)),
    },
    {
      id: 'model',
      header: 'Model',
      value: ({ model }) => model,
      cell: (line) => <Model line={line} per={per} />,
    },
    {
      id: 'reason',
      header: 'Reason',
      wraps: true,
      value: ({ reasons }) => reasons[0]?.text ?? '',
      cell: ({ reasons, differs }) => {
        const text = reasons.map((reason) => reason.text).join('; ');
        if (text !== '') return text;
        return <span className="dim">{differs ? 'not explained by the figures' : 'equal'}</span>;
      },
    },
    {
      id: 'calls',
      header: 'Calls',
      align: 'right',
      value: ({ books }) => books?.calls ?? 0,
      cell: ({ invoice, books }) => (
        <span title="export → ledger">
          {countOf(invoice?.calls)} → {countOf(books?.calls)}
        </span>
      ),
    },
    {
      id: 'tokens',
      header: 'Token difference',
      align: 'right',
      value: ({ driftTokens }) => Math.abs(driftTokens ?? 0),
      cell: ({ driftTokens }) =>
        driftTokens === null || driftTokens === 0 ? (
          unknown
        ) : (
          <span title={numberText(driftTokens)}>
            {`${driftTokens > 0 ? '+' : '-'}${compactText(Math.abs(driftTokens))}`}
          </span>
        ),
    },
    {
      id: 'export',
      header: 'Export',
      align: 'right',
      value: ({ invoice }) => invoice?.usd ?? 0,
      cell: ({ invoice }) => (invoice === null || invoice.usd === null ? unknown : write(invoice.usd)),
    },
    {
      id: 'books',
      header: 'Ledger',
      align: 'right',
      value: ({ books }) => books?.usd ?? 0,
      cell: ({ books }) => <BooksUsd books={books} write={write} />,
    },
    {
      id: 'drift',
      header: 'Difference',
      align: 'right',
      value: ({ driftUsd }) => Math.abs(driftUsd ?? 0),
      cell: ({ driftUsd, differs }) =>
        driftUsd === null ? unknown : <span className={differs ? 'bad' : 'dim'}>{drift(driftUsd)}</span>,
    },
  ];
  return (
    <DataTable
      label="Differences by day and model"
      columns={columns}
      rows={lines}
      rowKey={({ day, provider, model }) => `${day} ${provider} ${model}`}
      sort={{ id: 'drift', desc: true }}
    />
  );
}

const countOf = (count: number | null | undefined): string =>
  count === null || count === undefined ? '–' : numberText(count);

/** A missing price is not shown as $0. */
function BooksUsd({ books, write }: { books: Line['books']; write: (usd: number) => string }): JSX.Element {
  if (books === null || books.usd === null) return unknown;
  if (books.unpriced > 0 && books.unpriced === books.calls)
    return <span className="badge warn">unpriced</span>;
  return <>{write(books.usd)}</>;
}

/** Links to the events of a line; to all of the day if the ledger has the model under several names. */
function Model({
  line: { day, model, provider, stored, books },
  per,
}: {
  line: Line;
  per: Reconciliation['per'];
}): JSX.Element {
  // A month is longer than the events page shows at once.
  if (books === null || per === 'month') return <span title={provider ?? undefined}>{model}</span>;
  const search: EventsSearch = {
    start: `${day}T00:00:00.000Z`,
    end: `${day}T23:59:59.999Z`,
    range: undefined,
    live: undefined,
    // The comparison covers all environments.
    environment: undefined,
    model: stored?.model,
    provider: stored?.provider ?? undefined,
  };
  const about = stored === null ? 'stored under several names; opens all calls of the day' : provider;
  return (
    <ProjectLink page="events" search={search} title={about ?? undefined}>
      {model}
    </ProjectLink>
  );
}
