import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type JSX, useEffect, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { moneyText } from '../../lib/figures.ts';
import type { PricedModel, pricedModelsEndpoint } from './contract.ts';
import css from './model-input.module.css';

const pricedModelsApi = endpointOf<typeof pricedModelsEndpoint>('GET /v1/prices/models');

type Props = {
  readonly label: string;
  readonly description?: string;
  /** `provider/model`, or a name alone; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const PAUSE_MS = 250;
const nameOf = ({ provider, model }: PricedModel): string =>
  provider === null ? model : `${provider}/${model}`;
const rateText = (usd: number | null): string => (usd === null ? '–' : moneyText(usd));

/** A model that has a price, found by a part of its name; `onChange` gets what is chosen, or left there by Enter or leaving. */
export function ModelInput({ label, description, value, onChange }: Props): JSX.Element {
  const { organizationId } = useMember();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const found = useApi(
    pricedModelsApi,
    { query: { organizationId, q: asked } },
    { enabled: organizationId !== '' },
  );
  const byName = new Map((found.data?.models ?? []).map((model) => [nameOf(model), model]));
  return (
    <Autocomplete
      label={label}
      {...(description === undefined ? {} : { description })}
      placeholder="Same model"
      value={text}
      onChange={setText}
      onOptionSubmit={onChange}
      onBlur={() => onChange(text.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onChange(text.trim())}
      data={[...byName.keys()]}
      // The server has chosen already.
      filter={({ options }) => options}
      maxDropdownHeight={320}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      clearable
      onClear={() => onChange('')}
      renderOption={({ option }) => {
        const model = byName.get(option.value);
        return (
          <span className={css.modelOption}>
            <span>{option.value}</span>
            {model !== undefined && (
              <span className="dim num">
                {rateText(model.input)} in, {rateText(model.output)} out
              </span>
            )}
          </span>
        );
      }}
    />
  );
}
