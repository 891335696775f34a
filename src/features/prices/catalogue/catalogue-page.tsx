import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { JSX } from 'react';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { compactText, numberText } from '../../../lib/figures.ts';
import { CatalogueNote } from '../catalogue-note.tsx';
import { OtherRates } from '../other-rates.tsx';
import { PriceTabs } from '../price-tabs.tsx';
import { labelOf, type Rate, usdText } from '../rate-labels.ts';
import { Comparison } from './comparison.tsx';
import type { catalogueEndpoint, ListedModel } from './contract.ts';

const catalogueApi = endpointOf<typeof catalogueEndpoint>('GET /v1/prices/catalogue');

const MOST = 6;
const SHOWN: readonly Rate[] = ['input', 'cacheRead', 'output'];
const nameOf = ({ provider, model }: Pick<ListedModel, 'provider' | 'model'>): string =>
  provider === null ? model : `${provider}/${model}`;

/** The catalogue of prices: search, and the prices of chosen models beside each other. */
export function CataloguePage(): JSX.Element {
  const { organizationId } = useMember();
  const { search } = useScope('prices/catalogue');
  const setSearch = useSetSearch<'prices/catalogue'>();
  const { q, provider, retired } = search;
  const query = {
    organizationId,
    q,
    provider,
    deprecated: retired === 'yes' ? 'true' : 'false',
    limit: 50,
  } as const;
  const pages = usePages(catalogueApi, { query }, { enabled: organizationId !== '' });
  const first = pages.data?.pages[0];
  const chosen = search.models?.split(',').slice(0, MOST) ?? [];
  const choose = (names: readonly string[]): void =>
    setSearch({ models: names.length === 0 ? undefined : names.join(',') }, { replace: true });
  const find = useDebouncedCallback(
    (text: string) => setSearch({ q: text.trim() || undefined }, { replace: true }),
    300,
  );
  const toggle = (name: string): void =>
    choose(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <Page
      title="Prices"
      scoped={false}
      detail={
        first === undefined ? undefined : <span className="dim num">{numberText(first.total)} models</span>
      }
    >
      <PriceTabs />
      {first !== undefined && <CatalogueNote catalogue={first.catalogue} />}
      {chosen.length > 0 && <Comparison names={chosen} organizationId={organizationId} onRemove={toggle} />}
      <div className="inline-form">
        <TextInput
          size="xs"
          aria-label="Part of the name"
          placeholder="Part of the name"
          defaultValue={q ?? ''}
          onChange={(event) => find(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          aria-label="Provider"
          value={provider ?? ''}
          onChange={(event) => setSearch({ provider: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'All providers' },
            ...(first?.providers ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Switch
          size="xs"
          label="Retired models"
          checked={retired === 'yes'}
          onChange={(event) => setSearch({ retired: event.currentTarget.checked ? 'yes' : undefined })}
        />
        <span className="dim">USD per 1M tokens</span>
      </div>
      <Paged
        pages={pages}
        rowsOf={(page) => page.models}
        more="More models"
        empty={<Notice icon="costs" title="No model has this name" />}
      >
        {(models) => (
          <DataTable
            label="Catalogue"
            phone={['model', 'input', 'output']}
            columns={columnsFor(chosen, toggle)}
            rows={models}
            rowKey={nameOf}
          />
        )}
      </Paged>
    </Page>
  );
}

const columnsFor = (chosen: readonly string[], toggle: (name: string) => void): Column<ListedModel>[] => [
  {
    id: 'model',
    header: 'Model',
    wide: true,
    cell: ({ provider, model, alias, custom, conditional, deprecated, name }) => (
      <span className="marked" title={name ?? undefined}>
        <span>
          <span className="dim">{provider === null ? '' : `${provider}/`}</span>
          {model}
          {alias !== null && <span className="dim"> → {alias}</span>}
        </span>
        {custom && <span className="badge good badge-after">custom</span>}
        {conditional && (
          <span className="badge badge-after" title="Depends on the date, the hour or the size of the input">
            varies
          </span>
        )}
        {deprecated && <span className="badge warn badge-after">retired</span>}
      </span>
    ),
  },
  ...SHOWN.map(
    (rate): Column<ListedModel> => ({
      id: rate,
      header: labelOf(rate),
      align: 'right',
      cell: ({ rates }) => {
        const usd = rates[rate];
        return usd === undefined ? <span className="dim">–</span> : usdText(usd);
      },
    }),
  ),
  { id: 'others', header: 'Other rates', cell: ({ rates }) => <OtherRates rates={rates} but={SHOWN} /> },
  {
    id: 'context',
    header: 'Context',
    align: 'right',
    cell: ({ contextWindow }) => (contextWindow === null ? '–' : compactText(contextWindow)),
  },
  {
    id: 'actions',
    header: '',
    cell: (model) => {
      const name = nameOf(model);
      const isChosen = chosen.includes(name);
      return (
        <Button
          variant="default"
          size="compact-xs"
          disabled={!isChosen && (chosen.length >= MOST || name.includes(','))}
          aria-pressed={isChosen}
          onClick={() => toggle(name)}
        >
          {isChosen ? 'Hide' : 'Compare'}
        </Button>
      );
    },
  },
];
