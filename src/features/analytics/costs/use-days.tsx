import type { UseQueryResult } from '@tanstack/react-query';
import type { MetricsReply } from '../../../core/events/query/contract.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { formatInstant } from '../../../lib/time.ts';
import { wallClock } from '../../../lib/time-zone.ts';
import type { CostBreakdown } from '../contract.ts';

const MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens', 'cacheRate'] as const;

/** Costs by day of the person's zone, as a breakdown; days without calls are left out. */
export const useDays = (
  scope: Scope,
  options: { readonly enabled: boolean },
): UseQueryResult<CostBreakdown, ApiError> => {
  const found = useMetrics(scope, { measures: [...MEASURES], bucket: '1d' }, options);
  const data = found.data && toBreakdown(found.data);
  return { ...found, data } as UseQueryResult<CostBreakdown, ApiError>;
};

function toBreakdown({ steps, total, timeZone }: MetricsReply): CostBreakdown {
  const value = (name: (typeof MEASURES)[number], step: number): number => total.series?.[name]?.[step] ?? 0;
  return {
    by: 'day',
    bucket: 'day',
    times: steps.map(({ start }) => start),
    groups: steps.flatMap(({ start }, step) =>
      value('requests', step) === 0
        ? []
        : [
            {
              value: formatInstant(wallClock(Date.parse(start), timeZone)).slice(0, 10),
              cost: value('cost', step),
              calls: value('requests', step),
              unpriced: value('unpriced', step),
              inputTokens: value('inputTokens', step),
              outputTokens: value('outputTokens', step),
              cacheRate: value('cacheRate', step),
              costs: [],
            },
          ],
    ),
  };
}
