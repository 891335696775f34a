import { Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf, type Sent } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { putDefinitionEndpoint, StatementBy, StatementDefinition } from '../contract.ts';
import { byText, channelsApi, definitionsApi, statementApi, statementsApi } from './apis.ts';

const putApi = endpointOf<typeof putDefinitionEndpoint>('PUT /v1/organizations/:id/statement-definitions');
type Body = Sent<typeof putDefinitionEndpoint>['body'];

type Props = {
  readonly by: StatementBy;
  /** Null for a new one. */
  readonly definition: StatementDefinition | null;
  readonly onClose: () => void;
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `Platform = 50` on each line. */
const feesOf = (text: string): { name: string; amount: string }[] =>
  linesOf(text).map((line) => {
    const at = line.lastIndexOf('=');
    if (at < 1) throw new Error(`Fees: write "${line}" as NAME = AMOUNT, such as Platform = 50`);
    return { name: line.slice(0, at).trim(), amount: line.slice(at + 1).trim() };
  });

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Defines how costs are billed, for months that are not closed. */
export function DefinitionForm({ by, definition, onClose }: Props): JSX.Element {
  const { organizationId } = useMember();
  const [channels, setChannels] = useState<string[]>(definition?.channelIds ?? []);
  const save = useChange<Body>({
    failed: 'The settings were not saved',
    inForm: true,
    send: (body) => send(putApi, { params: { id: organizationId }, body }),
    stale: [definitionsApi, statementsApi, statementApi],
    done: 'The settings of statements were saved',
  });
  const form = useSubmit(async (fields) => {
    const { markup = '', currency = '', rate = '', minimum = '', fees = '', closeDay = '' } = fields;
    await save.mutateAsync({
      by,
      markupPercent: Number(markup),
      currency: currency.trim().toUpperCase(),
      rate: rate.trim(),
      minimum: orNull(minimum),
      fees: feesOf(fees),
      closeDay: closeDay === '' ? null : Number(closeDay),
      deliver: fields.deliver === 'summary' ? 'summary' : 'each',
      channelIds: channels,
      letterhead: {
        name: orNull(fields.sender ?? ''),
        address: linesOf(fields.address ?? ''),
        footer: fields.footer ?? '',
      },
    });
    onClose();
  });
  return (
    <FormDialog title={`Statements: ${byText(by)}`} form={form} submit="Save" onClose={onClose}>
      <Amounts definition={definition} />
      <Letterhead definition={definition} />
      <NativeSelect
        label="Close a month"
        name="closeDay"
        defaultValue={definition?.closeDay == null ? '' : String(definition.closeDay)}
        data={[
          { value: '', label: 'By hand' },
          ...Array.from({ length: 28 }, (_, i) => ({
            value: String(i + 1),
            label: `On day ${i + 1} of the next month`,
          })),
        ]}
      />
      <Channels definition={definition} chosen={channels} onChoose={setChannels} />
    </FormDialog>
  );
}

type Of = { readonly definition: StatementDefinition | null };

const Amounts = ({ definition }: Of): JSX.Element => (
  <>
    <Group grow gap="sm" align="start">
      <TextInput
        label="Markup, %"
        name="markup"
        type="number"
        min={0}
        max={1000}
        step="any"
        defaultValue={String(definition?.markupPercent ?? 0)}
        required
        data-autofocus
      />
      <TextInput
        label="Currency"
        name="currency"
        maxLength={3}
        defaultValue={definition?.currency ?? 'USD'}
        required
      />
      <TextInput label="For one USD" name="rate" defaultValue={definition?.rate ?? '1'} required />
    </Group>
    <TextInput
      label="Minimum per party"
      name="minimum"
      placeholder="None"
      defaultValue={definition?.minimum ?? ''}
    />
    <Textarea
      label="Flat fees per party"
      name="fees"
      description="One per line: NAME = AMOUNT"
      placeholder="Platform = 50"
      autosize
      minRows={1}
      defaultValue={definition?.fees.map(({ name, amount }) => `${name} = ${amount}`).join('\n') ?? ''}
    />
  </>
);

const Letterhead = ({ definition }: Of): JSX.Element => (
  <>
    <TextInput
      label="Sender"
      name="sender"
      placeholder="Name of the organization"
      maxLength={200}
      defaultValue={definition?.letterhead.name ?? ''}
    />
    <Textarea
      label="Address and tax number"
      name="address"
      autosize
      minRows={2}
      defaultValue={definition?.letterhead.address.join('\n') ?? ''}
    />
    <Textarea
      label="Footer"
      name="footer"
      autosize
      minRows={1}
      maxLength={1000}
      placeholder="Terms of payment, bank details"
      defaultValue={definition?.letterhead.footer ?? ''}
    />
  </>
);

type ChannelsProps = Of & {
  readonly chosen: string[];
  readonly onChoose: (ids: string[]) => void;
};

function Channels({ definition, chosen, onChoose }: ChannelsProps): JSX.Element | null {
  const { organizationId } = useMember();
  const known = useApi(channelsApi, { query: { organizationId } }).data?.channels ?? [];
  if (known.length === 0) return null;
  return (
    <>
      <Checkbox.Group label="Channels that get closed statements" value={chosen} onChange={onChoose}>
        <Stack gap="xs" mt={4}>
          {known.map(({ id, name, kind }) => (
            <Checkbox key={id} value={id} label={`${name} · ${kind}`} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label="They get"
        name="deliver"
        defaultValue={definition?.deliver ?? 'each'}
        data={[
          { value: 'each', label: 'Each statement' },
          { value: 'summary', label: 'One message per month' },
        ]}
      />
    </>
  );
}
