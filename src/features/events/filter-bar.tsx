import { Button, NativeSelect, Popover, TextInput } from '@mantine/core';

import { type FormEvent, type JSX, useState } from 'react';
import type { CostStatus, EventKind } from '../../core/events/contract.ts';
import { STATUSES } from '../../core/events/widgets/status-badge.tsx';
import type { KeysReply, listKeysEndpoint } from '../../core/keys/contract.ts';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import type { Scope } from '../../dashboard/shell/scope/scope.ts';
import { useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { useFacets } from '../../dashboard/shell/scope/use-facets.ts';
import { Chip } from '../../dashboard/ui/chip.tsx';
import { Icon } from '../../dashboard/ui/icons.tsx';
import css from './filter-bar.module.css';

const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

const KINDS: Readonly<Record<EventKind | 'all', string>> = {
  all: 'All spans',
  llm: 'LLM calls',
  embedding: 'Embeddings',
  tool: 'Tools',
  agent: 'Agents',
  chain: 'Chains',
  retrieval: 'Retrievals',
  guardrail: 'Guardrails',
  span: 'Other spans',
};

const COSTS: Readonly<Record<CostStatus, string>> = {
  priced: 'Priced',
  estimated: 'Estimated',
  client: 'Stated by the sender',
  unpriced: 'Without a price',
};

/** The filters by the names of the API, with what people call them. */
export const FILTERS = {
  status: 'Status',
  kind: 'Kind',
  model: 'Model',
  provider: 'Provider',
  errorCode: 'Error code',
  userId: 'User',
  sessionId: 'Session',
  keyId: 'API key',
  tag: 'Tag',
  costStatus: 'Cost',
} as const;
export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** The value of a filter as people call it. */
export const filterText = (name: FilterName, value: string): string => {
  if (name === 'status') return STATUSES[value as keyof typeof STATUSES]?.label ?? value;
  if (name === 'costStatus') return COSTS[value as keyof typeof COSTS] ?? value;
  if (name === 'kind') return KINDS[value as keyof typeof KINDS] ?? value;
  return value;
};

/** What the list is narrowed to by parameters of its own, as links from other pages say it, each with its way out. */
export function FilterChips({ scope }: { scope: Scope<'events'> }): JSX.Element | null {
  const setSearch = useSetSearch<'events'>();
  const keys = useKeys(scope, scope.search.keyId !== undefined);
  const active = FILTER_NAMES.flatMap((name) => {
    const value = scope.search[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (active.length === 0) return null;
  return (
    <div className="filters">
      {active.map(({ name, value }) => (
        <Chip key={name} label={FILTERS[name]} onRemove={() => setSearch({ [name]: undefined })}>
          {name === 'keyId' ? (keys.find(({ id }) => id === value)?.name ?? value) : filterText(name, value)}
        </Chip>
      ))}
      {active.length > 1 && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => setSearch(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
    </div>
  );
}

/** Filters to choose from. */
export function FilterForm({ scope }: { scope: Scope<'events'> }): JSX.Element {
  const [opened, setOpened] = useState(false);
  const setSearch = useSetSearch<'events'>();
  const facets = useFacets(scope);
  const keys = useKeys(scope, opened);
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setSearch(
      Object.fromEntries(
        FILTER_NAMES.map((name) => [name, String(fields.get(name) ?? '').trim() || undefined]),
      ),
    );
    setOpened(false);
  };
  const select = (name: FilterName, options: { value: string; label: string }[]): JSX.Element => {
    const given = scope.search[name] ?? '';
    const known = options.some(({ value }) => value === given) || given === '';
    return (
      <NativeSelect
        size="xs"
        name={name}
        label={FILTERS[name]}
        defaultValue={given}
        data={[{ value: '', label: 'Any' }, ...(known ? [] : [{ value: given, label: given }]), ...options]}
      />
    );
  };
  const plain = (values: readonly { value: string }[] = []) =>
    values.map(({ value }) => ({ value, label: value }));
  const named = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={280} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          onClick={() => setOpened(!opened)}
          leftSection={<Icon name="filter" size={14} />}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form className={css.filterForm} onSubmit={apply}>
          {select(
            'status',
            named(Object.fromEntries(Object.entries(STATUSES).map(([name, { label }]) => [name, label]))),
          )}
          {select('kind', named(KINDS))}
          {select('model', plain(facets?.models))}
          {select('provider', plain(facets?.providers))}
          {select('costStatus', named(COSTS))}
          {select(
            'keyId',
            keys.map(({ id, name }) => ({ value: id, label: name })),
          )}
          {(['errorCode', 'userId', 'sessionId', 'tag'] as const).map((name) => (
            <TextInput
              key={name}
              size="xs"
              name={name}
              label={FILTERS[name]}
              defaultValue={scope.search[name] ?? ''}
              placeholder={name === 'tag' ? 'name=value' : undefined}
            />
          ))}
          <Button type="submit" fullWidth>
            Apply
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The project's keys, where they are needed. */
export const useKeys = ({ projectId }: Pick<Scope, 'projectId'>, enabled: boolean): KeysReply['keys'] =>
  useApi(listKeysApi, { params: { id: projectId } }, { enabled }).data?.keys ?? [];
