import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { PRICE_MATCHES } from '../../core/pricing/contract.ts';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf, type Sent } from '../../dashboard/shell/endpoint.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { createPriceEndpoint, listPricesEndpoint, unpricedEndpoint } from './contract.ts';
import css from './price-form.module.css';

const createPriceApi = endpointOf<typeof createPriceEndpoint>('POST /v1/prices');
const listPricesApi = endpointOf<typeof listPricesEndpoint>('GET /v1/prices');
const unpricedApi = endpointOf<typeof unpricedEndpoint>('GET /v1/prices/unpriced');

/** The model of a new price. */
export type PriceFor = { readonly provider: string | null; readonly model: string };

type Match = (typeof PRICE_MATCHES)[number];

const MATCHES: Readonly<Record<Match, string>> = {
  exact: 'Exact',
  prefix: 'Prefix',
  glob: 'Wildcard (* and ?)',
};

const RATES = {
  input: 'Input',
  cacheRead: 'Cache read',
  cacheWrite: 'Cache write',
  output: 'Output',
} as const;

type Props = { readonly of: PriceFor; readonly organizationId: string; readonly onClose: () => void };

const isMatch = (text: string): text is Match => text in MATCHES;

/** The number of a field; undefined if it is empty. */
const rateOf = (text = ''): number | undefined => (text.trim() === '' ? undefined : Number(text));

/** Sets a price for new calls. */
export function PriceForm({ of, organizationId, onClose }: Props): JSX.Element {
  const save = useChange<Sent<typeof createPriceEndpoint>['body']>({
    failed: 'The price was not saved',
    send: (body) => send(createPriceApi, { query: { organizationId }, body }),
    stale: [listPricesApi, unpricedApi],
    done: 'The price applies to new calls',
  });
  const form = useSubmit(async ({ model = '', match = '', provider = '', ...fields }) => {
    const { input, cacheRead, cacheWrite, output } = fields;
    await save.mutateAsync({
      model,
      match: isMatch(match) ? match : 'exact',
      ...(provider.trim() === '' ? {} : { provider: provider.trim() }),
      rates: {
        input: rateOf(input),
        cacheRead: rateOf(cacheRead),
        cacheWrite: rateOf(cacheWrite),
        output: rateOf(output),
      },
    });
    onClose();
  });
  return (
    <FormDialog title="Set price" form={form} submit="Set price" onClose={onClose}>
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
          label="Match"
          name="match"
          data={Object.entries(MATCHES).map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          label="Provider"
          name="provider"
          defaultValue={of.provider ?? ''}
          placeholder="Any"
          maxLength={200}
        />
      </Group>
      <p className="dim">USD per 1M tokens. Leave a cache rate empty to use the input rate.</p>
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
    </FormDialog>
  );
}
