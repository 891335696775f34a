import type { Recommendation } from './contract.ts';
import type { Computed } from './to-recommendation.ts';

/** Days that an amount is of. */
const DAYS = 30;
/** An alert fires at this multiple of the mean day. */
const OVER = 1.5;
const MAX_NAME = 80;

/** To whole cents, and never 0, which no alert and no budget allows. */
const cents = (usd: number): number => Math.max(0.01, Math.ceil(usd * 100) / 100);

/** What a recommendation can become: bodies that the endpoints take as they are. */
export function documentsOf(
  { title, tracked, evidence, monthlyUsd }: Computed,
  {
    organizationId,
    projectId,
    costUsd,
  }: { readonly organizationId: string; readonly projectId: string; readonly costUsd: number },
): Recommendation['documents'] {
  const name = title.slice(0, MAX_NAME);
  return [
    {
      as: 'alert',
      path: `/v1/alerts?projectId=${projectId}`,
      body: {
        name,
        measure: 'cost',
        filters: { filter: tracked },
        window: '1d',
        condition: {
          kind: 'threshold',
          operator: 'gt',
          critical: cents((evidence.costUsd / DAYS) * OVER),
        },
      },
    },
    {
      as: 'budget',
      path: `/v1/budgets?organizationId=${organizationId}`,
      body: {
        name,
        of: { kind: 'project', projectId },
        period: 'month',
        limitUsd: cents(costUsd - monthlyUsd),
      },
    },
  ];
}
