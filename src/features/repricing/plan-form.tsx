import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useRef, useState } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { type Scope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { useFacets } from '../../dashboard/shell/scope/use-facets.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { formatInstant } from '../../lib/time.ts';
import type { createRepricingEndpoint, listRepricingsEndpoint, RepricingRequest } from './contract.ts';
import css from './plan-form.module.css';

const listRepricingsApi = endpointOf<typeof listRepricingsEndpoint>('GET /v1/repricings');
const createRepricingApi = endpointOf<typeof createRepricingEndpoint>('POST /v1/repricings');

type Props = { readonly scope: Scope<'costs/repricing'>; readonly disabled: boolean };

/** Chooses the calls to re-price: those of the page's time and environment, of a provider or model. */
export function PlanForm({ scope, disabled }: Props): JSX.Element {
  const { search, projectId } = scope;
  const setSearch = useSetSearch<'costs/repricing'>();
  const [clientCosts, setClientCosts] = useState(false);
  const facets = useFacets(scope);
  const unpricedOnly = search.costStatus === 'unpriced';
  const look = useChange({
    failed: 'The dry run did not start',
    send: async () => {
      const body = requestOf(scope, { unpricedOnly, clientCosts });
      const { id } = await send(createRepricingApi, { query: { projectId }, body });
      setSearch({ id });
    },
    stale: [listRepricingsApi],
  });
  useAskedRun(() => look.mutate());
  return (
    <Panel
      title="Calls to re-price"
      detail={`in the time range${search.environment === undefined ? '' : ' and environment'} chosen above`}
    >
      <div className="field-grid">
        {(['provider', 'model'] as const).map((name) => (
          <NativeSelect
            key={name}
            label={{ provider: 'Provider', model: 'Model' }[name]}
            value={search[name] ?? ''}
            onChange={(event) =>
              setSearch({ [name]: event.currentTarget.value || undefined }, { replace: true })
            }
            data={[
              { value: '', label: 'All' },
              ...withChosen(facets?.[`${name}s`].map(({ value }) => value) ?? [], search[name]),
            ]}
          />
        ))}
        <div className={`field-wide ${css.wishChecks}`}>
          <Checkbox
            size="xs"
            label="Only calls without a price"
            checked={unpricedOnly}
            onChange={(event) =>
              setSearch(
                { costStatus: event.currentTarget.checked ? 'unpriced' : undefined },
                { replace: true },
              )
            }
          />
          <Checkbox
            size="xs"
            label="Include calls whose cost the sender stated"
            disabled={unpricedOnly}
            checked={clientCosts && !unpricedOnly}
            onChange={(event) => setClientCosts(event.currentTarget.checked)}
          />
        </div>
        <div className={css.wishButton}>
          <Button onClick={() => look.mutate()} loading={look.isPending} disabled={disabled}>
            Dry run
          </Button>
        </div>
      </div>
    </Panel>
  );
}

/** Begins a dry run once if the link that led here asks for it; going back does not begin another. */
function useAskedRun(begin: () => void): void {
  const asked = useLocation({ select: ({ state }) => state.dryRun === true });
  const navigate = useNavigate();
  const begun = useRef(false);
  useEffect(() => {
    if (!asked || begun.current) return;
    begun.current = true;
    void navigate({ to: '.', search: (before) => before, replace: true, state: {} });
    begin();
  }, [asked, begin, navigate]);
}

/** Keeps the value of the address in the list, even if the time range has no calls of it. */
const withChosen = (known: readonly string[], chosen: string | undefined): string[] =>
  chosen === undefined || known.includes(chosen) ? [...known] : [chosen, ...known];

/** The end of the API is exclusive. */
const requestOf = (
  { range, search }: Scope<'costs/repricing'>,
  flags: Pick<RepricingRequest, 'unpricedOnly' | 'clientCosts'>,
): RepricingRequest => ({
  start: formatInstant(range.from),
  end: formatInstant(range.to === null ? Date.now() : range.to + 1),
  ...(search.provider === undefined ? {} : { provider: search.provider }),
  ...(search.model === undefined ? {} : { model: search.model }),
  ...(search.environment === undefined ? {} : { environment: search.environment }),
  unpricedOnly: flags.unpricedOnly,
  clientCosts: flags.clientCosts && !flags.unpricedOnly,
});
