import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { ModelLink } from '../../core/events/widgets/model-link.tsx';
import type { PriceRow } from '../../core/pricing/contract.ts';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { validityText } from '../../dashboard/ui/period.ts';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { compactText, numberText } from '../../lib/figures.ts';
import { exactColumn, nanoOf } from '../../lib/money-column.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import { CatalogueNote } from './catalogue-note.tsx';
import type { deletePriceEndpoint, listPricesEndpoint, UnpricedReply, unpricedEndpoint } from './contract.ts';
import { type PriceFor, PriceForm } from './price-form.tsx';

const deletePriceApi = endpointOf<typeof deletePriceEndpoint>('DELETE /v1/prices/:id');

const listPricesApi = endpointOf<typeof listPricesEndpoint>('GET /v1/prices');
const unpricedApi = endpointOf<typeof unpricedEndpoint>('GET /v1/prices/unpriced');

/** The catalogue, the organization's custom prices, and models without a price. */
export function PricesPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { projectId, params, zone, search } = useScope('prices');
  const ready = { enabled: organizationId !== '' };
  const prices = useApi(listPricesApi, { query: { organizationId } }, ready);
  const unpriced = useApi(unpricedApi, {
    query: {
      projectId,
      start: params.start,
      end: params.end,
    },
  });
  // A link from elsewhere names the model whose price is missing.
  const asked =
    search.model === undefined ? null : { model: search.model, provider: search.provider ?? null };
  const [chosen, setChosen] = useState<PriceFor | null>(null);
  const editing = chosen ?? (may('admin') ? asked : null);
  const setSearch = useSetSearch<'prices'>();
  const close = (): void => {
    setChosen(null);
    if (asked !== null) setSearch({ model: undefined, provider: undefined }, { replace: true });
  };
  const catalogue = prices.data?.catalogue;
  return (
    <Page
      title="Prices"
      detail={<span className="dim">of {organizationName}</span>}
      actions={
        may('admin') && <Button onClick={() => setChosen({ provider: null, model: '' })}>Set price</Button>
      }
    >
      {catalogue !== undefined && <CatalogueNote catalogue={catalogue} />}
      <Panel title="Models without a price" detail="in this project and time range" flush>
        <Loaded of={unpriced} loading={<LoadingRows rows={2} />}>
          {({ models, calls }) =>
            calls === 0 ? (
              <Notice title="No calls in this time" />
            ) : (
              <Unpriced models={models} zone={zone} onSet={may('admin') ? setChosen : null} />
            )
          }
        </Loaded>
      </Panel>
      <Panel
        title="Custom prices"
        detail="USD per 1M tokens"
        actions={
          may('admin') ? <ProjectLink page="costs/repricing">Re-price past events</ProjectLink> : undefined
        }
        flush
      >
        <Loaded of={prices} loading={<LoadingRows rows={2} />}>
          {(data) => <CustomPrices prices={data.prices} organizationId={organizationId} />}
        </Loaded>
      </Panel>
      {editing !== null && <PriceForm of={editing} organizationId={organizationId} onClose={close} />}
    </Page>
  );
}

type Model = UnpricedReply['models'][number];
type UnpricedProps = {
  readonly models: readonly Model[];
  readonly zone: 'utc' | 'local';
  /** Null for those who may not set prices. */
  readonly onSet: ((of: PriceFor) => void) | null;
};

function Unpriced({ models, zone, onSet }: UnpricedProps): JSX.Element {
  if (models.length === 0) return <Notice icon="check" title="Every call in this time has a price" />;
  const columns: Column<Model>[] = [
    {
      id: 'model',
      header: 'Model',
      wide: true,
      cell: ({ model, provider, reason }) => (
        <>
          <ModelLink model={model} search={{ provider: provider ?? undefined }} />
          {reason !== null ? null : onSet === null ? (
            <span className="badge good badge-after">now priced</span>
          ) : (
            <ProjectLink
              page="costs/repricing"
              search={{ model, provider: provider ?? undefined, costStatus: 'unpriced' }}
              className="badge good badge-after"
              title="New calls are priced. Re-price past calls."
            >
              now priced: re-price
            </ProjectLink>
          )}
        </>
      ),
    },
    { id: 'provider', header: 'Provider', cell: ({ provider }) => provider ?? '–' },
    { id: 'calls', header: 'Calls', align: 'right', cell: ({ unpriced }) => numberText(unpriced) },
    { id: 'input', header: 'Input', align: 'right', cell: ({ input_tokens }) => compactText(input_tokens) },
    {
      id: 'output',
      header: 'Output',
      align: 'right',
      cell: ({ output_tokens }) => compactText(output_tokens),
    },
    { id: 'last', header: 'Last seen', cell: ({ lastSeen }) => timeText.minute(lastSeen, zone) },
    {
      id: 'actions',
      header: '',
      cell: ({ provider, model }) =>
        onSet === null || model === NO_MODEL ? null : (
          <Button variant="default" size="compact-xs" onClick={() => onSet({ provider, model })}>
            Set price
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      label="Models without a price"
      columns={columns}
      rows={models}
      rowKey={({ provider, model }) => `${provider} ${model}`}
    />
  );
}

type Rate = 'input' | 'cacheRead' | 'output' | 'perRequest';

/** A rate with all its digits. */
function rateColumn(prices: readonly PriceRow[], id: string, header: string, of: Rate): Column<PriceRow> {
  const write = exactColumn(prices.map(({ rates }) => nanoOf(rates[of] ?? 0)));
  return {
    id,
    header,
    align: 'right',
    cell: ({ rates }) => {
      const usd = rates[of];
      return usd === undefined ? <span className="dim">–</span> : write(nanoOf(usd));
    },
  };
}

function CustomPrices({
  prices,
  organizationId,
}: {
  prices: readonly PriceRow[];
  organizationId: string;
}): JSX.Element {
  const { may } = useMember();
  const remove = useChange<string>({
    failed: 'The price was not removed',
    send: (id) => send(deletePriceApi, { params: { id }, query: { organizationId } }),
    stale: [listPricesApi, unpricedApi],
    done: 'The catalogue applies again to new calls',
  });
  if (prices.length === 0)
    return (
      <Notice icon="costs" title="No custom prices">
        The catalogue applies to all models.
      </Notice>
    );
  const columns: Column<PriceRow>[] = [
    {
      id: 'model',
      header: 'Model',
      wide: true,
      cell: ({ model, match, note }) => (
        <span title={note ?? undefined}>
          {model}
          {match !== 'exact' && <span className="badge badge-after">{match}</span>}
        </span>
      ),
    },
    {
      id: 'provider',
      header: 'Provider',
      cell: ({ provider }) => provider ?? <span className="dim">Any</span>,
    },
    rateColumn(prices, 'input', 'Input', 'input'),
    rateColumn(prices, 'cache', 'Cached', 'cacheRead'),
    rateColumn(prices, 'output', 'Output', 'output'),
    rateColumn(prices, 'request', 'Per call', 'perRequest'),
    {
      id: 'from',
      header: 'Valid',
      cell: ({ effectiveFrom, effectiveUntil }) => validityText(effectiveFrom, effectiveUntil) || 'always',
    },
    {
      id: 'actions',
      header: '',
      cell: ({ id, model }) =>
        may('admin') ? (
          <Confirm
            label="Remove"
            title={`Remove the price of ${model}?`}
            confirm="Remove price"
            onConfirm={() => remove.mutate(id)}
          >
            The catalogue prices new calls. Stored costs stay.
          </Confirm>
        ) : null,
    },
  ];
  return <DataTable label="Custom prices" columns={columns} rows={prices} rowKey={({ id }) => id} />;
}
