import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { catalogueEndpoint, catalogueModelsEndpoint } from '../catalogue/contract.ts';
import type {
  createPriceEndpoint,
  listPricesEndpoint,
  unpricedEndpoint,
  updatePriceEndpoint,
} from '../contract.ts';
import type { Rate } from '../rate-labels.ts';
import { RateFields } from './rate-fields.tsx';
import { MATCHES, type PriceBody, type PriceStart, readFields } from './read-fields.ts';
import { TierFields } from './tier-fields.tsx';

const createPriceApi = endpointOf<typeof createPriceEndpoint>('POST /v1/prices');
const updatePriceApi = endpointOf<typeof updatePriceEndpoint>('PUT /v1/prices/:id');
/** What shows prices. */
export const STALE_PRICES = [
  endpointOf<typeof listPricesEndpoint>('GET /v1/prices'),
  endpointOf<typeof unpricedEndpoint>('GET /v1/prices/unpriced'),
  endpointOf<typeof catalogueEndpoint>('GET /v1/prices/catalogue'),
  endpointOf<typeof catalogueModelsEndpoint>('GET /v1/prices/catalogue/models'),
];

type Props = {
  readonly start: PriceStart;
  /** The rate that is missing; its field has the focus. */
  readonly missing?: string | undefined;
  readonly organizationId: string;
  readonly onClose: () => void;
  /** `reprice`: to go on with the cost of past calls; asked only for a model without a price. */
  readonly onSaved: (price: PriceBody, reprice: boolean) => void;
  readonly unpriced?: boolean | undefined;
};

/** Sets a price for new calls, or changes one. */
export function PriceForm({
  start,
  missing,
  organizationId,
  onClose,
  onSaved,
  unpriced = false,
}: Props): JSX.Element {
  const [tiers, setTiers] = useState(start.tiers);
  const save = useChange<{ body: PriceBody; endPrevious: 'true' | 'false' }>({
    failed: 'The price was not saved',
    inForm: true,
    send: ({ body, endPrevious }) =>
      start.id === null
        ? send(createPriceApi, { query: { organizationId, endPrevious }, body })
        : send(updatePriceApi, { params: { id: start.id }, query: { organizationId }, body }),
    stale: STALE_PRICES,
    done: 'The price applies to new calls',
  });
  const form = useSubmit(async (fields) => {
    const body = readFields(fields, tiers);
    await save.mutateAsync({ body, endPrevious: fields.endPrevious === 'on' ? 'true' : 'false' });
    onSaved(body, fields.reprice === 'on');
  });
  const isNew = start.id === null;
  const focus = missing ?? (start.model === '' ? null : 'input');
  return (
    <FormDialog
      title={isNew ? 'Set price' : 'Change price'}
      form={form}
      submit={isNew ? 'Set price' : 'Save'}
      onClose={onClose}
    >
      <Names start={start} focused={focus === null} />
      {missing !== undefined && (
        <p>
          The usage of these calls needs a rate that the price lacks: <strong>add it below</strong>.
          {isNew && ' The other rates are those in force now.'}
        </p>
      )}
      <RateFields rates={start.rates} missing={missing as Rate | undefined} focus={focus} />
      <TierFields tiers={tiers} onChange={setTiers} />
      <Group grow gap="sm" align="start">
        <TextInput
          label="Valid from"
          name="effectiveFrom"
          defaultValue={dayOf(start.effectiveFrom)}
          placeholder="2026-12-01"
          maxLength={40}
        />
        <TextInput
          label="Valid until"
          name="effectiveUntil"
          defaultValue={dayOf(start.effectiveUntil)}
          placeholder="No end"
          maxLength={40}
        />
      </Group>
      {isNew && (
        <Checkbox
          name="endPrevious"
          label="End an earlier price of this name when this one starts"
          defaultChecked
        />
      )}
      {unpriced && (
        <Checkbox name="reprice" label="Then show what past calls would cost (a dry run)" defaultChecked />
      )}
      <TextInput label="Note" name="note" defaultValue={start.note ?? ''} maxLength={500} />
      <p className="dim">Dates are UTC. Stored calls keep their cost until you re-price them.</p>
    </FormDialog>
  );
}

const dayOf = (time: string | null): string => time?.replace('T00:00:00.000Z', '') ?? '';

function Names({ start, focused }: { readonly start: PriceStart; readonly focused: boolean }): JSX.Element {
  return (
    <>
      <Group grow gap="sm">
        <TextInput
          label="Model"
          name="model"
          defaultValue={start.model}
          required
          maxLength={300}
          {...(focused ? { 'data-autofocus': true } : {})}
        />
        <NativeSelect
          label="Match"
          name="match"
          defaultValue={start.match}
          data={Object.entries(MATCHES).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <Group grow gap="sm">
        <TextInput
          label="Provider"
          name="provider"
          defaultValue={start.provider ?? ''}
          placeholder="Any"
          maxLength={200}
        />
        <TextInput
          label="Service tier"
          name="serviceTier"
          defaultValue={start.serviceTier ?? ''}
          placeholder="Any, or batch, priority …"
          maxLength={40}
        />
      </Group>
    </>
  );
}
