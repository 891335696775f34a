import type { JSX, ReactNode } from 'react';
import { useMember } from '../../dashboard/shell/member.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { hoursText, validityText } from '../../dashboard/ui/period.ts';
import { numberText } from '../../lib/figures.ts';
import { exactColumn } from '../../lib/money-column.ts';
import type { Explanation } from './contract.ts';

type Fact = readonly [label: string, value: ReactNode];

/** The price with its validity, how the usage was read, and the cost at today's price if that differs. */
export function PriceFacts({ explanation }: { explanation: Explanation }): JSX.Element {
  const { may } = useMember();
  const facts = [
    ...ofPrice(explanation, may('admin')),
    ...ofUsage(explanation),
    ...ofToday(explanation, may('admin')),
  ];
  return (
    <dl>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ofPrice(explanation: Explanation, maySet: boolean): Fact[] {
  const { price, cost_status, unbilled } = explanation;
  if (price === null) return cost_status === 'client' ? [['Price', 'none, the sender stated the cost']] : [];
  const { source, reference, provider, model, effective_from, effective_until, daily } = price;
  const { context_above, service_tier, factor, note, recorded } = price;
  const name = provider === null ? model : `${provider}/${model}`;
  const facts: (Fact | false)[] = [
    [
      'Price',
      source === 'catalogue' ? (
        `${name}, from the catalogue`
      ) : (
        <>
          {name}, <ProjectLink page="prices">custom price</ProjectLink>
        </>
      ),
    ],
    [
      'Source',
      <span key="source" className="any-break">
        {reference}
      </span>,
    ],
    ['Valid', validityText(effective_from, effective_until) || 'always'],
    daily !== null && ['Time of day', hoursText(daily)],
    context_above !== null && ['Tier', `more than ${numberText(context_above)} input tokens`],
    service_tier !== null && ['Service tier', `${service_tier}${factor === 1 ? '' : `, × ${factor}`}`],
    note !== null && [
      'Estimate',
      <>
        {note} {maySet && service_tier !== null && <TierLink explanation={explanation} tier={service_tier} />}
      </>,
    ],
    unbilled.length > 0 && [
      'No rate for',
      <>
        {unbilled.join(', ')} {maySet && <RateLink explanation={explanation} />}
      </>,
    ],
    !recorded && ['Note', "the event is older than recorded prices, so today's price was used"],
  ];
  return facts.filter((fact) => fact !== false);
}

/** The way to the form that adds a rate which the price lacks; nothing if no rate would help. */
function RateLink({ explanation }: { readonly explanation: Explanation }): JSX.Element | null {
  const { model, provider, missing_rates } = explanation;
  const [rate] = missing_rates;
  if (rate === undefined || model === null) return null;
  return (
    <ProjectLink page="prices" search={{ model, provider: provider ?? undefined, rate }}>
      Add the missing rate
    </ProjectLink>
  );
}

/** The way to the form for a price of a service tier. */
function TierLink({
  explanation,
  tier,
}: {
  readonly explanation: Explanation;
  readonly tier: string;
}): JSX.Element | null {
  const { model, provider } = explanation;
  // A tier beside a speed or a region is no name that a price can have.
  if (model === null || tier.includes(' ')) return null;
  return (
    <ProjectLink page="prices" search={{ model, provider: provider ?? undefined, serviceTier: tier }}>
      Set price
    </ProjectLink>
  );
}

/** The counts as sent, and how they were split into buckets that do not overlap. */
function ofUsage({ usage, normalised }: Explanation): Fact[] {
  const { input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens } = usage;
  const part = (count: number, what: string): string => (count === 0 ? '' : `${numberText(count)} ${what}`);
  const sent = [
    part(input_tokens, 'input'),
    part(cached_input_tokens, 'cached'),
    part(cache_write_tokens, 'cache write'),
    part(output_tokens, 'output'),
    part(reasoning_tokens, 'reasoning'),
  ].filter((text) => text !== '');
  if (sent.length === 0) return [['Sent', 'no token counts']];
  // Without cached or reasoning tokens both readings agree.
  const isPlain = cached_input_tokens + cache_write_tokens + reasoning_tokens === 0;
  return [
    ['Sent', sent.join(', ')],
    ...(isPlain && normalised.cache === 'inclusive' ? [] : [['Read as', normalised.reason] as const]),
  ];
}

/** Only if the cost would differ. */
function ofToday({ today, cost_nano, cost_status }: Explanation, mayReprice: boolean): Fact[] {
  if (today.cost_nano === null || today.cost_nano === cost_nano) return [];
  const amount = exactColumn([today.cost_nano]);
  if (cost_status === 'client') return [['By the price list', amount(today.cost_nano)]];
  return [
    [
      'At today’s price',
      <>
        {amount(today.cost_nano)},{' '}
        {mayReprice ? (
          <ProjectLink page="costs/repricing">if you re-price it</ProjectLink>
        ) : (
          'if an admin re-prices it'
        )}
      </>,
    ],
  ];
}
