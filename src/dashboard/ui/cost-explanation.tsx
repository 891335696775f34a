import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import type { Explanation } from '../../features/costs/contract.ts';
import { moneyText, numberText } from '../../lib/figures.ts';
import { useApi } from '../api.ts';
import { useProjectId } from '../scope.ts';
import { Failure, LoadingRows } from './states.tsx';

const BUCKETS: Readonly<Record<Explanation['lines'][number]['bucket'], string>> = {
  fresh: 'Fresh input',
  cacheRead: 'Read from cache',
  cacheWrite5m: 'Written to cache, 5 min',
  cacheWrite1h: 'Written to cache, 1 h',
  output: 'Output',
  reasoning: 'Reasoning',
  audioInput: 'Audio input',
  audioOutput: 'Audio output',
  webSearch: 'Web searches',
  request: 'Per request',
};

/** How a cost came about, on demand: bucket × rate = amount, and by which price. */
export function CostExplanation({ event }: { event: StoredEvent }): JSX.Element {
  const projectId = useProjectId();
  const [asked, setAsked] = useState(false);
  const cost = useApi<Explanation>(
    `/v1/events/${event.event_id}/cost`,
    { projectId, timestamp: event.timestamp },
    { enabled: asked },
  );
  if (!asked)
    return (
      <Button variant="default" size="compact-xs" className="own-width" onClick={() => setAsked(true)}>
        Explain the cost
      </Button>
    );
  if (cost.error !== null) return <Failure error={cost.error} retry={() => void cost.refetch()} />;
  if (cost.data === undefined) return <LoadingRows rows={3} height={24} />;
  const { summary, lines, price } = cost.data;
  return (
    <section>
      <h3>How the cost came about</h3>
      <p>{summary}</p>
      {lines.length > 0 && (
        <table className="explain num">
          <tbody>
            {lines.map(({ bucket, tokens, usd_per_million, amount_usd }) => (
              <tr key={bucket}>
                <th scope="row">{BUCKETS[bucket]}</th>
                <td>{numberText(tokens)}</td>
                <td className="dim">× {moneyText(usd_per_million)} a million</td>
                <td>{moneyText(amount_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {price !== null && (
        <p className="dim">
          {price.source === 'override' ? 'Own price' : 'Catalogue'}: {price.reference}
        </p>
      )}
    </section>
  );
}
