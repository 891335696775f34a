import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { exactColumn, nanoOf } from '../../../lib/money-column.ts';
import type { Statement, StatementLine } from '../contract.ts';
import { byOf, byText, monthOf, monthText, statementApi } from './apis.ts';
import css from './statements.module.css';

/** A party's statement of a month, which prints as an invoice. */
export function StatementPage(): JSX.Element {
  const { organizationId } = useMember();
  const { search } = useScope('statements/party');
  const by = byOf(search.by, undefined);
  const month = monthOf(search.month, Date.now());
  const statement = useApi(
    statementApi,
    {
      params: { id: organizationId },
      query: { by, month, party: search.party, projectId: search.of },
    },
    { enabled: organizationId !== '' },
  );
  return (
    <Page
      title={statement.data?.name ?? 'Statement'}
      back={
        <ProjectLink page="statements" search={{ by, month }}>
          Statements
        </ProjectLink>
      }
      actions={
        <Button
          variant="default"
          size="xs"
          disabled={statement.data === undefined || statement.isPlaceholderData}
          onClick={() => print()}
        >
          Print
        </Button>
      }
      scoped={false}
    >
      <Loaded
        of={statement}
        loading={
          <Panel flush>
            <LoadingRows rows={10} />
          </Panel>
        }
      >
        {(data) => <Sheet statement={data} />}
      </Loaded>
    </Page>
  );
}

function Sheet({ statement }: { statement: Statement }): JSX.Element {
  const { letterhead, organization, number, month, closedAt, by, name, lines } = statement;
  const facts: readonly (readonly [string, string])[] = [
    ['Statement', number ?? 'Draft'],
    ['Period', monthText(month)],
    [
      closedAt === null ? 'Status' : 'Closed',
      closedAt === null ? 'Open, figures still change' : timeText.date(closedAt, UTC),
    ],
    ['Total', `${statement.total} ${statement.currency}`],
    ...(statement.currency === 'USD' ? [] : [['1 USD', `${statement.rate} ${statement.currency}`] as const]),
  ];
  return (
    <Panel>
      <article className={css.sheet} aria-label="Statement">
        <header className={css.head}>
          <address className={css.sender}>
            <strong>{letterhead.name ?? organization}</strong>
            {letterhead.address.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
          <dl className={css.facts}>
            {facts.map(([label, value]) => [
              <dt key={label} className="dim">
                {label}
              </dt>,
              <dd key={`${label} value`}>{value}</dd>,
            ])}
          </dl>
        </header>
        <p className={css.party}>
          <span className="dim">{byText(by)}</span> <strong>{name}</strong>
        </p>
        {lines.length === 0 ? (
          <Notice icon="costs" title={`No calls in ${monthText(month)}`} />
        ) : (
          <Lines statement={statement} />
        )}
        {letterhead.footer !== '' && <footer className={css.footer}>{letterhead.footer}</footer>}
      </article>
    </Panel>
  );
}

function Lines({ statement }: { statement: Statement }): JSX.Element {
  const { lines, total, currency } = statement;
  const rate = exactColumn(lines.map(({ usdPerMillion }) => nanoOf(usdPerMillion ?? 0)));
  const cost = exactColumn(lines.map(({ amountNano }) => amountNano ?? 0));
  return (
    <section className="table-scroll" tabIndex={0} aria-label="Lines">
      <table className="table num">
        <thead>
          <tr>
            <th className="wide">Item</th>
            <th className="right">Quantity</th>
            <th className="right">USD per 1M</th>
            <th className="right">Cost, USD</th>
            <th className="right">Amount, {currency}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a statement's lines have no other name, and keep their order
            <Line key={place} line={line} rate={rate} cost={cost} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td />
            <td />
            <td />
            <td className="right">
              <strong>{total}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

type Writer = (nano: number) => string;
type LineProps = { readonly line: StatementLine; readonly rate: Writer; readonly cost: Writer };

const Line = ({ line, rate, cost }: LineProps): JSX.Element => (
  <tr>
    <td>{line.text}</td>
    <td className="right">{line.quantity === null ? '' : numberText(line.quantity)}</td>
    <td className="right">{line.usdPerMillion === null ? '' : rate(nanoOf(line.usdPerMillion))}</td>
    <td className="right">{line.amountNano === null ? '' : cost(line.amountNano)}</td>
    <td className="right">{line.kind === 'unpriced' ? '–' : line.amount}</td>
  </tr>
);
