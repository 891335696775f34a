import type { JSX, ReactNode } from 'react';
import {
  dimensionOf,
  groupTerm,
  type NameOfValue,
} from '../../../dashboard/shell/metrics/dimension-names.ts';
import { measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { pageFilter } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { FIGURES } from '../../../dashboard/ui/format.ts';
import { moneyColumn } from '../../../lib/money-column.ts';
import type { MetricsReply } from '../query/contract.ts';
import css from './matrix-table.module.css';
import { MetricFigure } from './metric-figure.tsx';

type Props = {
  readonly reply: MetricsReply;
  readonly label: string;
  /** A filter beside that of the page. */
  readonly filter?: string | undefined;
  /** What values are called, if not by themselves. */
  readonly nameOf?: NameOfValue;
};
type Side = NonNullable<MetricsReply['matrix']>['rows'][number];

/** Of costs: so that thousands and their fractions fit below each other. */
const MOST_DECIMALS = 2;

/** A measure by two dimensions as a table: the darker a cell, the more; each leads to its calls. */
export function MatrixTable({ reply, label, filter, nameOf = (_, value) => value }: Props): JSX.Element {
  const { matrix, groupBy, measures, total } = reply;
  const { rows = [], columns = [], cells = [], unpriced } = matrix ?? {};
  const measure = measures[0]?.name ?? 'requests';
  const [down = '', across = ''] = groupBy;
  const known = cells.flat().flatMap((values) => values[measure] ?? []);
  const most = Math.max(0, ...known);
  const { kind } = measureOf(measure);
  const write = kind === 'money' ? moneyColumn(known, MOST_DECIMALS) : FIGURES[kind].short;
  const nameOfSide = (dimension: string, { value, others }: Side): string =>
    others === null
      ? value === null
        ? dimensionOf(dimension).none
        : nameOf(dimension, value)
      : `${others} others`;
  const link = (text: ReactNode, terms: readonly (string | null)[]): ReactNode =>
    terms.includes(null) ? text : <CellLink filter={[filter ?? '', ...terms].join(' ')}>{text}</CellLink>;
  const figure = (values: Side['values'] | undefined, without: number | undefined): JSX.Element => (
    <MetricFigure measure={measure} value={values?.[measure]} unpriced={without} write={write} />
  );
  return (
    <section className={`table-scroll ${css.scroll}`} tabIndex={0} aria-label={label}>
      <table className={`table ${css.matrix}`}>
        <thead>
          <tr>
            <th scope="col">
              {dimensionOf(down).label} by {dimensionOf(across).label.toLowerCase()}
            </th>
            {columns.map((column) => (
              <th key={keyOf(column)} scope="col" className="right" title={nameOfSide(across, column)}>
                <span className={css.name}>{nameOfSide(across, column)}</span>
              </th>
            ))}
            <th scope="col" className="right">
              All
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, y) => (
            <tr key={keyOf(row)}>
              <th scope="row" title={nameOfSide(down, row)}>
                <span className={css.name}>{nameOfSide(down, row)}</span>
              </th>
              {columns.map((column, x) => {
                const values = cells[y]?.[x];
                const value = values?.[measure] ?? null;
                const without = unpriced?.[y]?.[x];
                const shown = figure(values, without);
                return (
                  <td
                    key={keyOf(column)}
                    className="right num"
                    style={value === null || most === 0 ? {} : heatOf(value / most)}
                  >
                    {value === null && !without
                      ? shown
                      : link(shown, [termOfSide(down, row), termOfSide(across, column)])}
                  </td>
                );
              })}
              <td className={`right num ${css.total}`}>{figure(row.values, row.unpriced)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            {columns.map((column) => (
              <td key={keyOf(column)} className={`right num ${css.total}`}>
                {figure(column.values, column.unpriced)}
              </td>
            ))}
            <td className={`right num ${css.total}`}>{figure(total.values, total.unpriced)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const keyOf = ({ value, others }: Side): string => JSON.stringify([value, others]);

/** The term that finds the calls of a row or column; null for others, which no term finds. */
function termOfSide(dimension: string, { value, others }: Side): string | null {
  return others === null ? groupTerm(dimension, value) : null;
}

/** The root, so that small amounts beside large ones can be told from nothing. */
const heatOf = (share: number): { background: string } => ({
  background: `color-mix(in srgb, var(--sl-chart-1) ${Math.round(6 + 34 * Math.sqrt(Math.max(0, share)))}%, transparent)`,
});

function CellLink({ filter, children }: { filter: string; children: ReactNode }): JSX.Element {
  const { params, search } = useScope();
  return (
    <ProjectLink
      page="events"
      className={css.link}
      search={{
        filter: pageFilter(
          { params: { projectId: params.projectId, environment: undefined, filter: search.filter } },
          filter.trim(),
        ),
      }}
    >
      {children}
    </ProjectLink>
  );
}
