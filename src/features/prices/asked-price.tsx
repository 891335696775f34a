import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Dialog } from '../../dashboard/ui/dialog.tsx';
import { Failure, LoadingRows } from '../../dashboard/ui/states.tsx';
import type { catalogueModelsEndpoint, ModelPrices } from './catalogue/contract.ts';
import { currentPrice } from './catalogue/current-price.ts';
import { PriceForm } from './form/price-form.tsx';
import { newPrice, type PriceBody, type PriceStart } from './form/read-fields.ts';

export const catalogueModelsApi = endpointOf<typeof catalogueModelsEndpoint>(
  'GET /v1/prices/catalogue/models',
);

/** The model whose price is to be set, and the rate that it lacks. */
export type PriceFor = {
  readonly provider: string | null;
  readonly model: string;
  readonly rate?: string | undefined;
  readonly serviceTier?: string | undefined;
};

type Props = {
  readonly of: PriceFor;
  readonly organizationId: string;
  readonly onClose: () => void;
  readonly onSaved: (price: PriceBody, reprice: boolean) => void;
};

/** The form for a model's price, filled with the price in force: a custom one is changed, another is the start. */
export function AskedPrice({ of, ...rest }: Props): JSX.Element {
  const { provider, model, rate } = of;
  const names = provider === null ? model : `${provider}/${model}`;
  const found = useApi(
    catalogueModelsApi,
    { query: { organizationId: rest.organizationId, names } },
    // A name with a comma would be read as two.
    { enabled: model !== '' && !names.includes(',') },
  );
  const prices = found.data?.models[0];
  if (model === '' || names.includes(','))
    return <PriceForm start={newPrice(provider, model)} unpriced={rate === undefined} {...rest} />;
  if (prices !== undefined)
    return <PriceForm start={startOf(of, prices)} missing={rate} unpriced={rate === undefined} {...rest} />;
  return (
    <Dialog onClose={rest.onClose} title="Set price">
      {found.error === null ? (
        <LoadingRows rows={4} />
      ) : (
        <Failure error={found.error} retry={() => void found.refetch()} />
      )}
    </Dialog>
  );
}

/** A custom price in force is changed; the rates of another are where a new price starts. */
function startOf({ provider, model, serviceTier }: PriceFor, prices: ModelPrices): PriceStart {
  const own = prices.custom.find(({ id }) => id === prices.inForce?.reference);
  if (own !== undefined && serviceTier === undefined) return own;
  return { ...newPrice(provider, model), ...currentPrice(prices), serviceTier: serviceTier ?? null };
}
