import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { listDefinitionsEndpoint } from '../../../core/scores/contract.ts';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { syntaxError } from '../../../dashboard/shell/filter/use-filter.ts';
import { useProjectId, useScope } from '../../../dashboard/shell/scope/scope.ts';
import { useFacets } from '../../../dashboard/shell/scope/use-facets.ts';
import { Chip } from '../../../dashboard/ui/chip.tsx';
import type { ScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertDraft } from '../contract.ts';
import { type FieldsProps, firstBound, suggestName, unitOf } from './rule-form.ts';
import { GROUP_LABELS, isMeasure, measureOptions } from './rule-options.ts';

const listDefinitionsApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');

/** What a rule watches: a figure of some calls, for all of them or for each group. */
export function WatchFields({ form, set, problemOf }: FieldsProps): JSX.Element {
  const { measure, environment, filter, groupBy, tag } = form;
  const environments = useFacets(useScope())?.environments.map(({ value }) => value) ?? [];
  const scores = useScoreMeasures();
  const choices = [...new Set([...environments, environment])].filter((one) => one !== '');
  const change = (next: string): void => {
    if (!isMeasure(next)) return;
    // A bound in another unit means nothing.
    const isSame = unitOf(next).unit === unitOf(measure).unit;
    set({ measure: next, ...(isSame ? {} : { ...firstBound(next), warning: '' }) });
  };
  return (
    <div className="form">
      <Group grow gap="sm" align="start">
        <NativeSelect
          label="Figure"
          value={measure}
          onChange={({ currentTarget: { value } }) => change(value)}
          data={measureOptions(scores, measure)}
          data-autofocus
        />
        <NativeSelect
          label="Of"
          value={groupBy}
          onChange={({ currentTarget: { value } }) => set({ groupBy: value })}
          data={Object.entries(GROUP_LABELS).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      {groupBy === 'tag' && (
        <TextInput
          label="Tag"
          placeholder="team"
          value={tag}
          error={problemOf('tag')}
          maxLength={200}
          onChange={({ currentTarget: { value } }) => set({ tag: value })}
        />
      )}
      <Group grow gap="sm" align="start">
        <NativeSelect
          label="Environment"
          value={environment}
          onChange={({ currentTarget: { value } }) => set({ environment: value })}
          data={[{ value: '', label: 'All' }, ...choices.map((value) => ({ value, label: value }))]}
        />
        <TextInput
          label="Filter"
          placeholder="model:gpt-* -user:test"
          value={filter}
          error={filter.trim() === '' ? undefined : (syntaxError(filter) ?? undefined)}
          onChange={({ currentTarget: { value } }) => set({ filter: value })}
          spellCheck={false}
        />
      </Group>
      <Kept kept={form.kept} set={set} />
      <TextInput
        label="Name"
        placeholder={suggestName(form)}
        value={form.name}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
    </div>
  );
}

/** The measures of the scores that the project has: the mean, or the share of each category. */
function useScoreMeasures(): ScoreMeasure[] {
  const { data } = useApi(listDefinitionsApi, { query: { projectId: useProjectId() } });
  return (data?.definitions ?? []).flatMap(({ name, type, categories }): ScoreMeasure[] =>
    type === 'category'
      ? (categories ?? []).map((category): ScoreMeasure => `score:${name}=${category}`)
      : [`score:${name}`],
  );
}

/** Filters that were set through the API. */
function Kept({ kept, set }: { kept: NonNullable<AlertDraft['filters']> } & Pick<FieldsProps, 'set'>) {
  const names = Object.entries(kept);
  if (names.length === 0) return null;
  return (
    <div className="filters">
      {names.map(([name, value]) => (
        <Chip
          key={name}
          label={name}
          onRemove={() => set({ kept: Object.fromEntries(names.filter(([other]) => other !== name)) })}
        >
          {value}
        </Chip>
      ))}
    </div>
  );
}
