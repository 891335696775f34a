import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type {
  Channel,
  ChannelKind,
  createChannelEndpoint,
  listChannelsEndpoint,
  SubscribedType,
  updateChannelEndpoint,
} from './contract.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');
const createChannelApi = endpointOf<typeof createChannelEndpoint>('POST /v1/channels');
const updateChannelApi = endpointOf<typeof updateChannelEndpoint>('PUT /v1/channels/:id');

/** Every kind of channel. */
export const KINDS: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
};
const TYPES: Readonly<Record<SubscribedType, string>> = {
  'budget.crossed': 'Crossed budgets',
  'quota.warned': 'Quota warnings',
  'model.unpriced': 'New models without a price',
  'reconcile.drift': 'Differences from the provider’s figures',
  'prompt.published': 'Published prompts',
};
const isKind = (text: string): text is ChannelKind => text in KINDS;
const isType = (text: string): text is SubscribedType => text in TYPES;

/** A signing secret that was just made. */
export type FreshSecret = { readonly name: string; readonly secret: string };

type Props = {
  /** Null for a new one. */
  readonly channel: Channel | null;
  readonly onSecret: (fresh: FreshSecret) => void;
  readonly onClose: () => void;
};

/** Creates or changes a channel. Secrets that are left empty stay. */
export function ChannelForm({ channel, onSecret, onClose }: Props): JSX.Element {
  const { organizationId } = useMember();
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? 'email');
  const [types, setTypes] = useState<readonly string[]>(channel?.types ?? Object.keys(TYPES));
  const query = { organizationId };
  const save = useChange<Record<string, string>>({
    failed: 'The channel was not saved',
    inForm: true,
    send: async (fields) => {
      const { name = '' } = fields;
      const enabled = fields.enabled === 'on';
      const body = { name, kind, enabled, types: types.filter(isType), config: configOf(kind, fields) };
      if (channel !== null) {
        await send(updateChannelApi, { params: { id: channel.id }, query, body });
        return;
      }
      const { secret } = await send(createChannelApi, { query, body });
      if (secret !== null) onSecret({ name, secret });
    },
    stale: [listChannelsApi],
  });
  const form = useSubmit(async (fields) => {
    await save.mutateAsync(fields);
    onClose();
  });
  return (
    <FormDialog
      title={channel === null ? 'New channel' : `Edit ${channel.name}`}
      form={form}
      submit={channel === null ? 'Create channel' : 'Save channel'}
      onClose={onClose}
    >
      <NativeSelect
        label="Kind"
        value={kind}
        disabled={channel !== null}
        onChange={({ currentTarget: { value } }) => isKind(value) && setKind(value)}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
      />
      <TextInput
        label="Name"
        name="name"
        defaultValue={channel?.name ?? ''}
        required
        maxLength={200}
        data-autofocus
      />
      <Settings key={kind} kind={kind} channel={channel} />
      <Checkbox.Group label="Notifications" value={[...types]} onChange={setTypes}>
        <Stack gap="xs" mt={4}>
          {Object.entries(TYPES).map(([type, label]) => (
            <Checkbox key={type} value={type} label={label} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox name="enabled" label="Enabled" defaultChecked={channel?.enabled ?? true} size="xs" />
    </FormDialog>
  );
}

const KEPT = 'Leave empty to keep the current one';
const HINTS: Readonly<Partial<Record<ChannelKind, string>>> = {
  webhook: 'Gets signed requests, such as https://example.com/hooks/spanledger. Not shown again',
  slack: 'Address of an incoming webhook, https://hooks.slack.com/services/…',
  discord: 'Webhook address of a Discord channel',
  teams: 'Webhook address of a Teams workflow',
};

/** The settings of a kind. */
function Settings({ kind, channel }: { kind: ChannelKind; channel: Channel | null }): JSX.Element {
  const isNew = channel === null;
  if (kind === 'email')
    return (
      <TextInput
        label="Recipients"
        name="to"
        description="Up to 20 addresses with commas between"
        defaultValue={channel?.config.to?.join(', ') ?? ''}
        required
      />
    );
  if (kind === 'pagerduty')
    return (
      <>
        <TextInput
          label="Integration key"
          name="routingKey"
          description={isNew ? 'Of an Events API v2 integration, 32 characters' : KEPT}
          required={isNew}
          autoComplete="off"
        />
        <NativeSelect
          label="Region"
          name="region"
          defaultValue={channel?.config.region ?? 'us'}
          data={[
            { value: 'us', label: 'US' },
            { value: 'eu', label: 'EU' },
          ]}
        />
      </>
    );
  return (
    <TextInput
      label={kind === 'webhook' ? 'URL' : 'Webhook URL'}
      name="url"
      description={isNew ? HINTS[kind] : KEPT}
      placeholder={isNew ? '' : `${channel.target}/…`}
      required={isNew}
      autoComplete="off"
    />
  );
}

function configOf(kind: ChannelKind, fields: Record<string, string>) {
  const { to = '', url = '', routingKey = '', region } = fields;
  const list = to.split(/[,;\s]+/).filter((address) => address !== '');
  if (kind === 'email') return { to: list };
  if (kind === 'pagerduty')
    return {
      ...(routingKey !== '' && { routingKey }),
      region: region === 'eu' ? ('eu' as const) : ('us' as const),
    };
  return url === '' ? {} : { url };
}
