import type { JSX } from 'react';
import { ModelLink } from '../../core/events/widgets/model-link.tsx';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { hoursText, validityText } from '../../dashboard/ui/period.ts';
import { numberText } from '../../lib/figures.ts';
import { exactColumn, nanoOf } from '../../lib/money-column.ts';
import { BUCKETS } from './bucket-names.ts';
import type { Statement, StatementLine } from './contract.ts';
import css from './statement.module.css';

type Model = Statement['models'][number];
type Writers = { readonly amount: (nano: number) => string; readonly rate: (nano: number) => string };

/** What a line without a bucket stands for. */
const KINDS: Readonly<Record<StatementLine['kind'], string>> = {
  priced: 'Calls without usage',
  estimated: 'Calls without usage',
  client: 'Stated by the sender',
  unexplained: 'Price not recorded',
  summed: 'Calls with deleted rows',
  unpriced: 'No known price',
};

/** The lines of a day by model, each bucket × rate = amount, and their total. */
export function StatementTable({ statement }: { statement: Statement }): JSX.Element {
  const { lines, models, lines_nano, calls } = statement;
  const writers = {
    amount: exactColumn([lines_nano, ...lines.map(({ amount_nano }) => amount_nano ?? 0)]),
    rate: exactColumn(lines.map(({ usd_per_million }) => nanoOf(usd_per_million ?? 0))),
  };
  return (
    <section className="table-scroll" tabIndex={0} aria-label="Statement">
      <table className="table statement num">
        <thead>
          <tr>
            <th className="wide">Model and bucket</th>
            <th>Price</th>
            <th className="right">Calls</th>
            <th className="right">Tokens</th>
            <th className="right">USD per 1M</th>
            <th className="right">Amount</th>
          </tr>
        </thead>
        {models.map((model) => (
          <tbody key={`${model.provider} ${model.model}`}>
            <Account model={model} statement={statement} writers={writers} />
            {lines
              .filter((line) => line.model === model.model && line.provider === model.provider)
              .map((line) => (
                <Entry
                  key={JSON.stringify([line.kind, line.bucket, line.price_id])}
                  line={line}
                  writers={writers}
                />
              ))}
          </tbody>
        ))}
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td />
            <td className="right">{numberText(calls)}</td>
            <td />
            <td />
            <td className="right">{writers.amount(lines_nano)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

type AccountProps = { readonly model: Model; readonly statement: Statement; readonly writers: Writers };

/** A model with the number of its calls, linked to them, and the sum of its lines. */
function Account({ model, statement, writers }: AccountProps): JSX.Element {
  const { provider, amount_nano, calls } = model;
  const { day, environment } = statement;
  const search: EventsSearch = {
    provider: provider ?? undefined,
    start: `${day}T00:00:00.000Z`,
    end: `${day}T23:59:59.999Z`,
    range: undefined,
    environment: environment ?? undefined,
  };
  return (
    <tr className={css.account}>
      <th scope="row" className="wide">
        <ModelLink model={model.model} search={search}>
          {provider === null ? model.model : `${provider}/${model.model}`}
        </ModelLink>
      </th>
      <td />
      <td className="right">{numberText(calls)}</td>
      <td />
      <td />
      <td className="right">
        {amount_nano === null ? <span className="badge warn">no price</span> : writers.amount(amount_nano)}
      </td>
    </tr>
  );
}

function Entry({ line, writers }: { line: StatementLine; writers: Writers }): JSX.Element {
  const { kind, bucket, price, calls, tokens, usd_per_million, amount_nano, rounding_nano } = line;
  return (
    <tr className={css.entry}>
      <th scope="row" className="wide">
        {bucket === null ? <span className="dim">{KINDS[kind]}</span> : BUCKETS[bucket]}
        {kind === 'estimated' && (
          <span className="badge badge-after" title={price?.note ?? undefined}>
            estimate
          </span>
        )}
      </th>
      <td className="dim">{price === null ? '' : priceText(price)}</td>
      <td className="right dim">{numberText(calls)}</td>
      <td className="right">{tokens === null ? '–' : numberText(tokens)}</td>
      <td className="right">{usd_per_million === null ? '' : writers.rate(nanoOf(usd_per_million))}</td>
      <td
        className="right"
        title={
          rounding_nano === 0 ? undefined : `includes ${numberText(rounding_nano)} nano-dollars of rounding`
        }
      >
        {amount_nano === null ? '' : writers.amount(amount_nano)}
      </td>
    </tr>
  );
}

type Price = NonNullable<StatementLine['price']>;

/** The price, with what distinguishes it from other prices of the model. */
function priceText(price: Price): string {
  const { source, reference, effective_from, effective_until, daily, context_above } = price;
  const { service_tier, factor } = price;
  return [
    source === 'catalogue' ? reference : 'custom price',
    validityText(effective_from, effective_until),
    daily === null ? '' : hoursText(daily),
    context_above === null ? '' : `above ${numberText(context_above)} input tokens`,
    service_tier === null ? '' : `${service_tier}${factor === 1 ? '' : ` × ${factor}`}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
