import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ComponentType, type JSX, useEffect, useState } from 'react';
import { type Scope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { useFacets } from '../../dashboard/shell/scope/use-facets.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';

/** A percentage of the address as a fraction; undefined if it is not one. */
export function fractionOf(percent: string | undefined): number | undefined {
  const value = Number(percent?.trim() || Number.NaN);
  return value >= 0 && value <= 100 ? value / 100 : undefined;
}

const PERCENTAGES = {
  caching: { label: 'Prompt caching', description: 'of uncached input', placeholder: 'Unchanged' },
  batch: { label: 'Batches', description: 'of calls', placeholder: 'None' },
  sample: { label: 'Sampling', description: 'of calls kept', placeholder: 'All' },
} as const;
type Name = keyof typeof PERCENTAGES;

/** A field for a model that has a price. */
export type ModelField = ComponentType<{
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
}>;

/** The settings to compare. Each change goes to the address, which can be shared. */
export function Wishes({
  scope,
  ModelInput,
}: {
  scope: Scope<'costs/what-if'>;
  ModelInput: ModelField;
}): JSX.Element {
  const { search } = scope;
  const setSearch = useSetSearch<'costs/what-if'>();
  const set = (patch: Parameters<typeof setSearch>[0]): void => setSearch(patch, { replace: true });
  const models = useFacets(scope)?.models ?? [];
  const known = models.map(({ value }) => value);
  const chosen = search.model ?? '';
  return (
    <Panel>
      <div className="field-grid">
        <NativeSelect
          label="Calls of"
          description="model in this time range"
          value={chosen}
          onChange={(event) => set({ model: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: 'All models' },
            ...(chosen === '' || known.includes(chosen) ? known : [chosen, ...known]),
          ]}
        />
        <div className="field-wide">
          <ModelInput
            label="Use model"
            description="search by part of provider/model"
            value={search.as ?? ''}
            onChange={(as) => as !== (search.as ?? '') && set({ as: as || undefined })}
          />
        </div>
        {(Object.keys(PERCENTAGES) as Name[]).map((name) => (
          <Percentage
            key={name}
            name={name}
            value={search[name] ?? ''}
            onChange={(value) => set({ [name]: value || undefined })}
          />
        ))}
      </div>
    </Panel>
  );
}

const PAUSE_MS = 350;
type PercentageProps = {
  readonly name: Name;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function Percentage({ name, value, onChange }: PercentageProps): JSX.Element {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const tell = useDebouncedCallback(onChange, PAUSE_MS);
  const wrong = text.trim() !== '' && fractionOf(text) === undefined;
  return (
    <TextInput
      {...PERCENTAGES[name]}
      inputMode="decimal"
      value={text}
      error={wrong && 'Enter a number from 0 to 100'}
      rightSection="%"
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        if (typed.trim() === '' || fractionOf(typed) !== undefined) tell(typed.trim());
      }}
    />
  );
}
