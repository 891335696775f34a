import { Checkbox, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import type { listChannelsEndpoint } from './contract.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
};

/** Channels of the organization to choose from. */
export function ChannelChoice({ label, description, chosen, onChange }: Props): JSX.Element {
  const { organizationId } = useMember();
  const enabled = organizationId !== '';
  const channels = useApi(listChannelsApi, { query: { organizationId } }, { enabled }).data?.channels;
  if (channels?.length === 0)
    return (
      <p className="dim">
        There is no channel yet, so nobody is notified.{' '}
        <ProjectLink page="channels">Set up a channel</ProjectLink>
      </p>
    );
  return (
    <Checkbox.Group label={label} description={description} value={[...chosen]} onChange={onChange}>
      <Stack gap="xs" mt={4}>
        {(channels ?? []).map(({ id, name, kind, enabled: isOn }) => (
          <Checkbox key={id} value={id} size="xs" label={`${name} (${kind}${isOn ? '' : ', disabled'})`} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
