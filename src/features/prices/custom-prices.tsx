import { Button, Group } from '@mantine/core';
import type { JSX } from 'react';
import type { PriceRow } from '../../core/pricing/contract.ts';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { validityText } from '../../dashboard/ui/period.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { exactColumn, nanoOf } from '../../lib/money-column.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { deletePriceEndpoint } from './contract.ts';
import { STALE_PRICES } from './form/price-form.tsx';
import type { PriceStart } from './form/read-fields.ts';
import { OtherRates } from './other-rates.tsx';
import { labelOf, type Rate } from './rate-labels.ts';

const deletePriceApi = endpointOf<typeof deletePriceEndpoint>('DELETE /v1/prices/:id');

/** Rates with a column of their own. */
const SHOWN: readonly Rate[] = ['input', 'cacheRead', 'output'];

/** A rate with all its digits. */
function rateColumn(prices: readonly PriceRow[], rate: Rate): Column<PriceRow> {
  const write = exactColumn(prices.map(({ rates }) => nanoOf(rates[rate] ?? 0)));
  return {
    id: rate,
    header: labelOf(rate),
    align: 'right',
    cell: ({ rates }) => {
      const usd = rates[rate];
      return usd === undefined ? <span className="dim">–</span> : write(nanoOf(usd));
    },
  };
}

/** What a model's name and tiers say beside each other. */
function Model({ price }: { readonly price: PriceRow }): JSX.Element {
  const { model, match, note, serviceTier, tiers } = price;
  return (
    <span className="marked" title={note ?? undefined}>
      <span>{model}</span>
      {match !== 'exact' && <span className="badge badge-after">{match}</span>}
      {serviceTier !== null && <span className="badge badge-after">{serviceTier}</span>}
      {tiers.length > 0 && (
        <span
          className="badge badge-after"
          title={tiers.map(({ above }) => `over ${above} tokens`).join(', ')}
        >
          long inputs
        </span>
      )}
    </span>
  );
}

type Props = {
  readonly prices: readonly PriceRow[];
  readonly organizationId: string;
  readonly onEdit: (price: PriceStart) => void;
};

/** Tomorrow in UTC, `YYYY-MM-DD`. */
const tomorrow = (): string => formatInstant(Date.now() + DAY_MS).slice(0, 10);

/** The custom prices of the organization. */
export function CustomPrices({ prices, organizationId, onEdit }: Props): JSX.Element {
  const { may } = useMember();
  const remove = useChange<string>({
    failed: 'The price was not removed',
    send: (id) => send(deletePriceApi, { params: { id }, query: { organizationId } }),
    stale: STALE_PRICES,
    done: 'The catalogue applies again to new calls',
  });
  if (prices.length === 0)
    return (
      <Notice icon="costs" title="No custom prices">
        The catalogue applies to all models.
      </Notice>
    );
  const columns: Column<PriceRow>[] = [
    { id: 'model', header: 'Model', wide: true, cell: (price) => <Model price={price} /> },
    {
      id: 'provider',
      header: 'Provider',
      cell: ({ provider }) => provider ?? <span className="dim">Any</span>,
    },
    ...SHOWN.map((rate) => rateColumn(prices, rate)),
    { id: 'others', header: 'Other rates', cell: ({ rates }) => <OtherRates rates={rates} but={SHOWN} /> },
    {
      id: 'from',
      header: 'Valid',
      cell: ({ effectiveFrom, effectiveUntil }) => validityText(effectiveFrom, effectiveUntil) || 'always',
    },
    {
      id: 'actions',
      header: '',
      cell: (price) =>
        may('admin') ? (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <Button variant="default" size="compact-xs" onClick={() => onEdit(price)}>
              Change
            </Button>
            <Button
              variant="default"
              size="compact-xs"
              title="Rates from a date on; these end then"
              onClick={() => onEdit({ ...price, id: null, effectiveFrom: tomorrow(), effectiveUntil: null })}
            >
              New rates
            </Button>
            <Confirm
              label="Remove"
              title={`Remove the price of ${price.model}?`}
              confirm="Remove price"
              onConfirm={() => remove.mutate(price.id)}
            >
              The catalogue prices new calls. Stored costs stay. To keep the price in the list, change it and
              enter an end instead.
            </Confirm>
          </Group>
        ) : null,
    },
  ];
  return <DataTable label="Custom prices" columns={columns} rows={prices} rowKey={({ id }) => id} />;
}
