import { Button, Switch } from '@mantine/core';
import { type JSX, useState } from 'react';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { type Kpi, Kpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { saveFile } from '../../dashboard/ui/save-file.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { changeOf, countText, moneyText, numberText } from '../../lib/figures.ts';
import { ApartPanel } from './apart-panel.tsx';
import type { DriftReason, Reconciliation } from './contract.ts';
import { type ExportFilter, FilterSelect } from './filter-select.tsx';
import { LAYOUT_NAMES } from './layout-names.ts';
import css from './reconcile-result.module.css';
import { ReconcileTable } from './reconcile-table.tsx';
import { toCsv } from './result-csv.ts';

type Props = {
  readonly name: string;
  readonly result: Reconciliation;
  /** Which lines of the export count, and how to choose others; null for a result that was kept. */
  readonly filter: ExportFilter;
  readonly onFilter: ((filter: ExportFilter) => void) | null;
  /** Asks to keep the result; null if it is kept, or may not be. */
  readonly onKeep: (() => void) | null;
};
type Line = Reconciliation['lines'][number];

/** Maximum number of rows shown; the CSV file has all that the server sent. */
const MAX_ROWS = 400;

/** Where an export and the ledger differ, and why. */
export function ReconcileResult({ name, result, filter, onFilter, onKeep }: Props): JSX.Element {
  const drifting = result.lines.filter(({ differs }: Line) => differs);
  const [onlyDrift, setOnlyDrift] = useState(drifting.length > 0);
  const [reason, setReason] = useState<DriftReason | null>(null);
  const lines = (onlyDrift ? drifting : result.lines).filter(
    ({ reasons }) => reason === null || reasons.some(({ code }) => code === reason),
  );
  return (
    <div className="stack">
      <Panel
        title={name}
        detail={`${LAYOUT_NAMES[result.layout]}, ${result.from} to ${result.to}`}
        actions={
          <>
            {onKeep !== null && (
              <Button size="compact-xs" onClick={onKeep}>
                Keep
              </Button>
            )}
            <Button
              variant="default"
              size="compact-xs"
              leftSection={<Icon name="download" size={13} />}
              onClick={() => saveFile(`reconciled-${result.from}-${result.to}.csv`, toCsv(result))}
            >
              CSV
            </Button>
          </>
        }
        flush
      >
        <Kpis kpis={toKpis(result)} />
      </Panel>
      {onFilter !== null && <FilterSelect parts={result.parts} filter={filter} onFilter={onFilter} />}
      <Ignored rows={result.ignored} />
      <Reasons reasons={result.reasons} chosen={reason} onChoose={setReason} />
      <ApartPanel apart={result.apart} />
      <Panel
        title={titleOf(result)}
        detail={
          lines.length > MAX_ROWS
            ? `first ${numberText(MAX_ROWS)}; the CSV has ${numberText(result.lines.length)} of ${numberText(result.counts.lines)}`
            : `${numberText(lines.length)} of ${numberText(result.counts.lines)} lines`
        }
        actions={
          <Switch
            size="xs"
            label="Only differences"
            checked={onlyDrift}
            onChange={(event) => setOnlyDrift(event.currentTarget.checked)}
          />
        }
        flush
      >
        {lines.length === 0 ? (
          <NoLines of={result} filtered={reason !== null} />
        ) : (
          <ReconcileTable lines={lines.slice(0, MAX_ROWS)} per={result.per} />
        )}
      </Panel>
    </div>
  );
}

const titleOf = ({ per, by }: Reconciliation): string => `By ${per}${by === 'model' ? ' and model' : ''}`;

/** Why no line is listed: there are none, none has the chosen reason, or all agree. */
function NoLines({ of, filtered }: { of: Reconciliation; filtered: boolean }): JSX.Element {
  if (of.lines.length === 0)
    return (
      <Notice icon="search" title="Nothing to compare">
        Neither the export nor the ledger has usage on these days.
      </Notice>
    );
  if (filtered)
    return (
      <Notice icon="search" title="No listed line has this reason">
        Only the largest differences are listed. Clear the reason to see them all.
      </Notice>
    );
  return (
    <Notice icon="check" title="No line differs">
      The export and the ledger agree on every line.
    </Notice>
  );
}

function toKpis({ invoice, books, driftUsd, usdFrom, counts }: Reconciliation): Kpi[] {
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const change = changeOf(books.usd ?? 0, invoice.usd);
  return [
    {
      ...{
        id: 'invoice',
        label: 'Export',
        kind: 'money',
        value: invoice.usd ?? 0,
        missing: invoice.usd === null,
      },
      note: dim(usdFrom === 'export' ? 'as billed' : 'its tokens at this project’s prices'),
    },
    {
      id: 'books',
      label: 'Ledger',
      kind: 'money',
      value: books.usd ?? 0,
      missing: books.usd === null,
      note: dim(
        books.unpriced === 0
          ? countText(books.calls ?? 0, 'call')
          : `${countText(books.unpriced, 'call')} unpriced`,
      ),
    },
    {
      id: 'drift',
      label: 'Difference',
      kind: 'money',
      value: driftUsd ?? 0,
      missing: driftUsd === null,
      note: dim(change === null ? 'ledger minus export' : `${change.text} of the export`),
    },
    {
      id: 'lines',
      label: 'Lines that differ',
      kind: 'count',
      value: counts.differing,
      note: dim(
        counts.unexplained === 0
          ? `of ${countText(counts.lines, 'line')}`
          : `of ${numberText(counts.lines)}, ${numberText(counts.unexplained)} unexplained`,
      ),
    },
  ];
}

type ReasonsProps = {
  readonly reasons: Reconciliation['reasons'];
  readonly chosen: DriftReason | null;
  readonly onChoose: (code: DriftReason | null) => void;
};

/** Reasons for the difference, largest amount first; each filters the lines. */
function Reasons({ reasons, chosen, onChoose }: ReasonsProps): JSX.Element | null {
  if (reasons.length === 0) return null;
  return (
    <Panel title="Reasons" detail="as far as the figures show, largest amount first">
      <ul className="ruled">
        {reasons.map(({ code, text, lines, driftUsd }) => (
          <li key={code} className={css.reason}>
            <button
              type="button"
              className={`vopen ${css.reasonPick}`}
              aria-pressed={chosen === code}
              onClick={() => onChoose(chosen === code ? null : code)}
            >
              {text}
            </button>
            <span className="dim num">
              {numberText(lines)} {lines === 1 ? 'line' : 'lines'}
            </span>
            <span className="num">{moneyText(driftUsd)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Lines of the file that could not be read. */
const Ignored = ({ rows }: { rows: Reconciliation['ignored'] }): JSX.Element | null =>
  rows.length === 0 ? null : (
    <Panel title="Lines that could not be read" detail="no figure includes them">
      <ul className="ruled">
        {rows.map(({ row, why }) => (
          <li key={row}>
            <span className="num">Line {row}</span>: <span className="warn">{why}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
