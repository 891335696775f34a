import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { Failure, LoadingRows } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import { exactColumn, nanoOf } from '../../lib/money-column.ts';
import { BUCKETS } from './bucket-names.ts';
import type { Explanation, explainEndpoint } from './contract.ts';
import css from './cost-explanation.module.css';
import { PriceFacts } from './price-facts.tsx';

const explainApi = endpointOf<typeof explainEndpoint>('GET /v1/events/:id/cost');

/** How a cost was calculated, on demand: bucket × rate = amount, with the price and how the usage was read. */
export function CostExplanation({ event }: { event: StoredEvent }): JSX.Element {
  const projectId = useProjectId();
  const [asked, setAsked] = useState(false);
  const cost = useApi(
    explainApi,
    { params: { id: event.event_id }, query: { projectId, timestamp: event.timestamp } },
    { enabled: asked },
  );
  if (!asked)
    return (
      <Button variant="default" size="compact-xs" className="own-width" onClick={() => setAsked(true)}>
        Explain cost
      </Button>
    );
  if (cost.error !== null) return <Failure error={cost.error} retry={() => void cost.refetch()} />;
  if (cost.data === undefined) return <LoadingRows rows={3} height={24} />;
  return (
    <section>
      <h3>How the cost was calculated</h3>
      {cost.data.lines.length === 0 ? <Without explanation={cost.data} /> : <Lines explanation={cost.data} />}
      <PriceFacts explanation={cost.data} />
    </section>
  );
}

/** Why there are no lines, and what to do about it. */
function Without({ explanation }: { explanation: Explanation }): JSX.Element {
  const { may } = useMember();
  const { summary, cost_status, model, provider, missing_rates } = explanation;
  return (
    <p>
      {summary}{' '}
      {cost_status === 'unpriced' && model !== null && may('admin') && (
        <ProjectLink
          page="prices"
          search={{ model, provider: provider ?? undefined, rate: missing_rates[0] }}
        >
          {missing_rates.length === 0 ? 'Set price' : 'Add the missing rate'}
        </ProjectLink>
      )}
    </p>
  );
}

function Lines({ explanation }: { explanation: Explanation }): JSX.Element {
  const { lines, lines_nano, adds_up, cost_nano } = explanation;
  const total = lines_nano ?? 0;
  const amount = exactColumn([...lines.map(({ amount_nano }) => amount_nano), total, cost_nano ?? 0]);
  const rate = exactColumn(lines.map(({ usd_per_million }) => nanoOf(usd_per_million)));
  return (
    <table className={`${css.explain} num`}>
      <thead>
        <tr>
          <th>Bucket</th>
          <td>Tokens</td>
          <td>USD per 1M</td>
          <td>Amount</td>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ bucket, tokens, usd_per_million, amount_nano }) => (
          <tr key={bucket}>
            <th scope="row">{BUCKETS[bucket]}</th>
            <td>{numberText(tokens)}</td>
            <td>{rate(nanoOf(usd_per_million))}</td>
            <td>{amount(amount_nano)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td colSpan={2} className={adds_up ? 'dim' : 'warn'}>
            {adds_up
              ? 'equals the stored cost, to the nano-dollar'
              : `the stored cost is ${amount(cost_nano ?? 0)}`}
          </td>
          <td>{amount(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
