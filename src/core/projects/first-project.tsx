import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { call, queryClient } from '../../dashboard/shell/api.ts';
import { Gate } from '../../dashboard/shell/gate.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { ProjectReply } from './contract.ts';

/** An organization of the person, as `GET /v1/auth/me` tells it. */
type Membership = {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: string;
};

/** For somebody without a project: makes one where they may, else says whom to ask. */
export function FirstProject({ memberships }: { memberships: readonly Membership[] }): JSX.Element {
  const navigate = useNavigate();
  const own = memberships.filter(({ role }) => role === 'owner' || role === 'admin');
  const { busy, failure, onSubmit } = useSubmit(async ({ organizationId = own[0]?.organizationId, name }) => {
    const path = `/v1/organizations/${organizationId}/projects`;
    const { id } = await call<ProjectReply>(path, { method: 'POST', body: { name } });
    await queryClient.invalidateQueries();
    await navigate({ to: '/projects/$projectId/overview', params: { projectId: id } });
  });
  if (own.length === 0)
    return (
      <Gate
        title="No project yet"
        lead="You belong to no organization with a project. Ask one of its admins for an invitation."
      >
        {null}
      </Gate>
    );
  return (
    <Gate title="Your first project" lead="A project has its own events, figures and API keys.">
      <form onSubmit={onSubmit} className="form">
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
        <p role="alert" className="form-error">
          {failure}
        </p>
        <Button type="submit" size="sm" loading={busy} fullWidth>
          Make the project
        </Button>
      </form>
    </Gate>
  );
}
