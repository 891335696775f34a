import { Alert, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath, searchFrom } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import type { SearchOf } from '../../dashboard/shell/scope/search.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { AskedPrice, type PriceFor } from './asked-price.tsx';
import { CatalogueNote } from './catalogue-note.tsx';
import type { listPricesEndpoint, unpricedEndpoint } from './contract.ts';
import { CustomPrices } from './custom-prices.tsx';
import { PriceForm } from './form/price-form.tsx';
import { newPrice, type PriceBody, type PriceStart } from './form/read-fields.ts';
import { PriceTabs } from './price-tabs.tsx';
import { UnpricedModels } from './unpriced-models.tsx';

const listPricesApi = endpointOf<typeof listPricesEndpoint>('GET /v1/prices');
const unpricedApi = endpointOf<typeof unpricedEndpoint>('GET /v1/prices/unpriced');

/** The catalogue, the organization's custom prices, and models without a price. */
export function PricesPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { projectId, params, zone } = useScope('prices');
  const ready = { enabled: organizationId !== '' };
  const prices = useApi(listPricesApi, { query: { organizationId } }, ready);
  const unpriced = useApi(unpricedApi, {
    query: {
      projectId,
      start: params.start,
      end: params.end,
    },
  });
  const { asked, setAsked } = useAsked();
  const [editing, setEditing] = useState<PriceStart | null>(null);
  const [saved, setSaved] = useState<PriceBody | null>(null);
  const dryRun = useDryRun();
  const close = (): void => {
    setEditing(null);
    setAsked(null);
  };
  const form = {
    organizationId,
    onClose: close,
    onSaved: (price: PriceBody, reprice: boolean) => {
      if (reprice) return dryRun(price);
      setSaved(price);
      close();
    },
  };
  const catalogue = prices.data?.catalogue;
  return (
    <Page
      title="Prices"
      detail={<span className="dim">of {organizationName}</span>}
      actions={may('admin') && <Button onClick={() => setEditing(newPrice(null, ''))}>Set price</Button>}
    >
      <PriceTabs />
      {saved !== null && <Saved price={saved} />}
      {catalogue !== undefined && <CatalogueNote catalogue={catalogue} />}
      <Panel title="Models without a price" detail="in this project and time range" flush>
        <Loaded of={unpriced} loading={<LoadingRows rows={2} />}>
          {({ models, calls }) =>
            calls === 0 ? (
              <Notice title="No calls in this time" />
            ) : (
              <UnpricedModels models={models} zone={zone} onSet={may('admin') ? setAsked : null} />
            )
          }
        </Loaded>
      </Panel>
      <Panel
        title="Custom prices"
        detail="USD per 1M tokens"
        actions={
          may('admin') ? (
            <>
              <ProjectLink page="audit" search={{ action: 'price.' }}>
                History
              </ProjectLink>
              <ProjectLink page="costs/repricing">Re-price past events</ProjectLink>
            </>
          ) : undefined
        }
        flush
      >
        <Loaded of={prices} loading={<LoadingRows rows={2} />}>
          {(data) => (
            <CustomPrices prices={data.prices} organizationId={organizationId} onEdit={setEditing} />
          )}
        </Loaded>
      </Panel>
      {editing !== null && <PriceForm start={editing} {...form} />}
      {editing === null && asked !== null && may('admin') && <AskedPrice of={asked} {...form} />}
    </Page>
  );
}

/** Goes to re-pricing, where a dry run of the calls without a price begins. */
function useDryRun(): (price: PriceBody) => void {
  const projectId = useProjectId();
  const navigate = useNavigate();
  return ({ model, provider, match }) => {
    const of = match === 'exact' ? { model, provider: provider ?? undefined } : {};
    void navigate({
      to: pagePath(projectId, 'costs/repricing'),
      search: (before) => searchFrom<SearchOf<'costs/repricing'>>(before, { ...of, costStatus: 'unpriced' }),
      state: { dryRun: true },
    });
  };
}

/** The model whose price is asked for: by a click here, or by a link from elsewhere. */
function useAsked(): { asked: PriceFor | null; setAsked: (of: PriceFor | null) => void } {
  const { search } = useScope('prices');
  const setSearch = useSetSearch<'prices'>();
  const { model, provider, rate, serviceTier } = search;
  return {
    asked: model === undefined ? null : { model, provider: provider ?? null, rate, serviceTier },
    setAsked: (of) =>
      setSearch(
        {
          model: of?.model,
          provider: of?.provider ?? undefined,
          rate: of?.rate,
          serviceTier: of?.serviceTier,
        },
        { replace: true },
      ),
  };
}

/** What to do after a price was saved: past calls keep their cost. */
function Saved({ price }: { readonly price: PriceBody }): JSX.Element {
  const { model, match, provider } = price;
  return (
    <Alert color="green" title={`The price of ${model} applies to new calls`}>
      Past calls keep their cost.{' '}
      <ProjectLink
        page="costs/repricing"
        search={match === 'exact' ? { model, provider: provider ?? undefined } : undefined}
      >
        Re-price past calls
      </ProjectLink>
    </Alert>
  );
}
