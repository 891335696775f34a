import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { type Membership, meApi } from '../../dashboard/shell/member.ts';
import { useNotify } from '../../dashboard/shell/notices/notices.tsx';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { numberText } from '../../lib/figures.ts';
import type { OrganizationReply, postOrganizationEndpoint } from '../orgs/contract.ts';
import type { createProjectEndpoint } from './contract.ts';

const createProjectApi = endpointOf<typeof createProjectEndpoint>('POST /v1/organizations/:id/projects');
const createOrganizationApi = endpointOf<typeof postOrganizationEndpoint>('POST /v1/organizations');

type Limits = Pick<OrganizationReply, 'plan' | 'monthlyEvents' | 'retentionDays'>;

const limitsText = ({ plan, monthlyEvents, retentionDays }: Limits): string =>
  `Plan ${plan}: ${numberText(monthlyEvents)} events a month for all projects of the organization together, kept for ${numberText(retentionDays)} days.`;

type Props = {
  readonly memberships: readonly Membership[];
  /** The organization that is offered first; null creates a new one with the project. */
  readonly organizationId: string | null | undefined;
  readonly onClose: () => void;
};

/** Creates a project, with a new organization if asked for, and opens the page about sending events to it. */
export function NewProject({ memberships, organizationId, onClose }: Props): JSX.Element {
  const navigate = useNavigate();
  const notify = useNotify();
  const own = memberships.filter(({ role }) => role === 'owner' || role === 'admin');
  const [chosen, setChosen] = useState(own.find((one) => one.organizationId === organizationId) ?? own[0]);
  // If only the project could not be created, the next try uses the organization that exists by then.
  const [founded, setFounded] = useState<OrganizationReply | null>(null);
  const isNew = organizationId === null;
  const form = useSubmit(async ({ organization, name = '' }) => {
    const around = !isNew ? chosen?.organizationId : (founded ?? (await found(organization ?? ''))).id;
    const { id } = await send(createProjectApi, { params: { id: around ?? '' }, body: { name } });
    await refresh(meApi);
    await navigate({ to: '/projects/$projectId/start', params: { projectId: id } });
    onClose();
  });
  const found = async (name: string): Promise<OrganizationReply> => {
    const made = await send(createOrganizationApi, { body: { name } });
    setFounded(made);
    void refresh(meApi);
    notify({ message: `${made.name} is created. ${limitsText(made)}`, autoClose: 8_000 });
    return made;
  };
  const limits = isNew ? founded : (chosen ?? null);
  return (
    <FormDialog
      title={isNew ? 'New organization' : 'New project'}
      form={form}
      submit={isNew ? 'Create organization' : 'Create project'}
      onClose={onClose}
      size="sm"
    >
      {isNew ? (
        <TextInput
          label="Organization"
          name="organization"
          description="It has its own members, plan and quota; you will be its owner."
          required
          maxLength={200}
          readOnly={founded !== null}
          data-autofocus
        />
      ) : (
        own.length > 1 && (
          <NativeSelect
            label="Organization"
            value={chosen?.organizationId}
            onChange={(event) => {
              const id = event.currentTarget.value;
              setChosen(own.find((one) => one.organizationId === id));
            }}
            data={own.map((one) => ({ value: one.organizationId, label: one.organizationName }))}
          />
        )
      )}
      <TextInput
        label={isNew ? 'First project' : 'Name'}
        name="name"
        description="A project has its own events, figures and API keys."
        required
        maxLength={200}
        data-autofocus={!isNew}
      />
      {limits !== null && <p className="dim">{limitsText(limits)}</p>}
    </FormDialog>
  );
}
