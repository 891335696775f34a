import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { PRICE_MATCHES } from '../../core/pricing/contract.ts';
import { call } from '../../dashboard/shell/api.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import css from './price-form.module.css';

/** For which model a price is to be set. */
export type PriceFor = { readonly provider: string | null; readonly model: string };

const MATCHES: Readonly<Record<(typeof PRICE_MATCHES)[number], string>> = {
  exact: 'This name',
  prefix: 'Names that begin so',
  glob: 'A pattern with * and ?',
};

const RATES = {
  input: 'Input',
  cacheRead: 'Read from cache',
  cacheWrite: 'Written to cache',
  output: 'Output',
} as const;

type Props = { readonly of: PriceFor; readonly organizationId: string; readonly onClose: () => void };

/** Sets a price for calls from now on. */
export function PriceForm({ of, organizationId, onClose }: Props): JSX.Element {
  const save = useChange<object>({
    failed: 'The price was not saved',
    send: (body) =>
      call(`/v1/prices?organizationId=${encodeURIComponent(organizationId)}`, { method: 'POST', body }),
    stale: ['/v1/prices', '/v1/prices/unpriced'],
    done: 'The price holds for calls from now on',
  });
  const { busy, failure, onSubmit } = useSubmit(async ({ model, match, provider = '', ...fields }) => {
    const rates = Object.fromEntries(
      Object.keys(RATES).flatMap((name) => {
        const text = (fields[name] ?? '').trim();
        return text === '' ? [] : [[name, Number(text)]];
      }),
    );
    await save.mutateAsync({
      model,
      match,
      ...(provider.trim() === '' ? {} : { provider: provider.trim() }),
      rates,
    });
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title="Set a price" centered>
      <form onSubmit={onSubmit} className="form">
        <TextInput
          label="Model"
          name="model"
          defaultValue={of.model}
          required
          maxLength={300}
          data-autofocus={of.model === ''}
        />
        <Group grow gap="sm">
          <NativeSelect
            label="Means"
            name="match"
            data={Object.entries(MATCHES).map(([value, label]) => ({ value, label }))}
          />
          <TextInput
            label="Provider"
            name="provider"
            defaultValue={of.provider ?? ''}
            placeholder="any"
            maxLength={200}
          />
        </Group>
        <p className="dim">
          Dollars a million tokens. What is left empty follows the input's or output's rate.
        </p>
        <div className={css.rates}>
          {Object.entries(RATES).map(([name, label]) => (
            <TextInput
              key={name}
              label={label}
              name={name}
              inputMode="decimal"
              pattern="[0-9]*[.]?[0-9]+"
              leftSection="$"
              required={name === 'input'}
              data-autofocus={name === 'input' && of.model !== ''}
            />
          ))}
        </div>
        <p role="alert" className="form-error">
          {failure}
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Set the price
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
