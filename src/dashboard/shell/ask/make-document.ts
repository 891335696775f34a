import type { createBudgetEndpoint, listBudgetsEndpoint } from '../../../core/budgets/contract.ts';
import type { getViewsEndpoint, postViewEndpoint } from '../../../core/views/contract.ts';
import type { createAlertEndpoint, listAlertsEndpoint } from '../../../features/alerts/contract.ts';
import type { createPriceEndpoint, listPricesEndpoint } from '../../../features/prices/contract.ts';
import { send } from '../api.ts';
import { endpointOf, type Sent } from '../endpoint.ts';

/** What an answer or a recommendation can become. */
export type Made = 'alert' | 'budget' | 'view' | 'price';

const alertApi = endpointOf<typeof createAlertEndpoint>('POST /v1/alerts');
const budgetApi = endpointOf<typeof createBudgetEndpoint>('POST /v1/budgets');
const viewApi = endpointOf<typeof postViewEndpoint>('POST /v1/views');
const priceApi = endpointOf<typeof createPriceEndpoint>('POST /v1/prices');

/** What is listed where the made things are. */
export const MADE_LISTS = [
  endpointOf<typeof listAlertsEndpoint>('GET /v1/alerts'),
  endpointOf<typeof listBudgetsEndpoint>('GET /v1/budgets'),
  endpointOf<typeof getViewsEndpoint>('GET /v1/views'),
  endpointOf<typeof listPricesEndpoint>('GET /v1/prices'),
] as const;

/**
 * Sends a document to the endpoint that makes it, which checks it; the audit log has it as an action of the copilot.
 * @throws ApiError with what the endpoint does not take
 */
export function makeDocument(
  as: Made,
  of: { readonly projectId: string; readonly organizationId: string },
  document: unknown,
): Promise<unknown> {
  const { projectId, organizationId } = of;
  const copilot = true;
  switch (as) {
    case 'alert': {
      const body = document as Sent<typeof createAlertEndpoint>['body'];
      return send(alertApi, { query: { projectId }, body, copilot });
    }
    case 'budget': {
      const body = document as Sent<typeof createBudgetEndpoint>['body'];
      return send(budgetApi, { query: { organizationId }, body, copilot });
    }
    case 'view': {
      const body = document as Sent<typeof postViewEndpoint>['body'];
      return send(viewApi, { query: { projectId, page: 'events' }, body, copilot });
    }
    case 'price': {
      const body = document as Sent<typeof createPriceEndpoint>['body'];
      return send(priceApi, { query: { organizationId }, body, copilot });
    }
  }
}
