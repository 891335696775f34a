import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import type { JSX } from 'react';
import type { listChannelsEndpoint } from '../../../core/deliveries/channels/contract.ts';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import type { FieldsProps } from './rule-form.ts';
import { minutesText } from './rule-words.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');

/** Minutes after which people are notified again. */
const AGAIN = [15, 30, 60, 240, 1_440] as const;

/** Who is told, and how often. */
export function NotifyFields({ form, set }: FieldsProps): JSX.Element {
  const { organizationId } = useMember();
  const enabled = organizationId !== '';
  const channels = useApi(listChannelsApi, { query: { organizationId } }, { enabled }).data?.channels;
  const { channelIds = [], renotifyMinutes } = form;
  const choices = [...new Set([...AGAIN.map(String), renotifyMinutes])].filter((one) => one !== '');
  return (
    <div className="form">
      {channels?.length === 0 ? (
        <p className="dim">
          There is no channel yet, so nobody is notified.{' '}
          <ProjectLink page="channels">Set up a channel</ProjectLink>
        </p>
      ) : (
        <Checkbox.Group
          label="Channels"
          value={[...channelIds]}
          onChange={(chosen) => set({ channelIds: chosen })}
        >
          <Stack gap="xs" mt={4}>
            {(channels ?? []).map(({ id, name, kind, enabled: isOn }) => (
              <Checkbox
                key={id}
                value={id}
                size="xs"
                label={`${name} (${kind}${isOn ? '' : ', disabled'})`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {channelIds.length > 0 && (
        <NativeSelect
          label="While it fires, notify again"
          value={renotifyMinutes}
          onChange={({ currentTarget: { value } }) => set({ renotifyMinutes: value })}
          data={[
            { value: '', label: 'Never' },
            ...choices.map((value) => ({ value, label: `Every ${minutesText(Number(value))}` })),
          ]}
        />
      )}
      <Checkbox
        size="xs"
        label="Open an incident, which then notifies instead"
        checked={form.opensIncident === true}
        onChange={({ currentTarget: { checked } }) => set({ opensIncident: checked })}
      />
      <Checkbox
        size="xs"
        label="Enabled"
        checked={form.enabled !== false}
        onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
      />
    </div>
  );
}
