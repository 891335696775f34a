import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { queryClient, send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Gate } from '../../dashboard/shell/gate.tsx';
import type { Membership } from '../../dashboard/shell/member.ts';
import { EntryForm } from '../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { createProjectEndpoint } from './contract.ts';

const createProjectApi = endpointOf<typeof createProjectEndpoint>('POST /v1/organizations/:id/projects');

/** For a person without a project: creates one if they may, otherwise says whom to ask. */
export function FirstProject({ memberships }: { memberships: readonly Membership[] }): JSX.Element {
  const navigate = useNavigate();
  const own = memberships.filter(({ role }) => role === 'owner' || role === 'admin');
  const form = useSubmit(async (fields) => {
    const { organizationId = own[0]?.organizationId ?? '', name = '' } = fields;
    const { id } = await send(createProjectApi, { params: { id: organizationId }, body: { name } });
    await queryClient.invalidateQueries();
    await navigate({ to: '/projects/$projectId/overview', params: { projectId: id } });
  });
  if (own.length === 0)
    return (
      <Gate
        title="No project yet"
        lead="You are not a member of an organization with a project. Ask an admin for an invitation."
      >
        {null}
      </Gate>
    );
  return (
    <Gate title="Your first project" lead="A project has its own events, figures and API keys.">
      <EntryForm form={form} submit="Create project">
        {own.length > 1 && (
          <NativeSelect
            label="Organization"
            name="organizationId"
            data={own.map(({ organizationId, organizationName }) => ({
              value: organizationId,
              label: organizationName,
            }))}
          />
        )}
        <TextInput label="Name" name="name" placeholder="assistant" required maxLength={200} autoFocus />
      </EntryForm>
    </Gate>
  );
}
