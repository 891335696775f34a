import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { meApi, useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { GRANTED_SCOPES } from '../tenancy/contract.ts';
import type { CreatedToken, createTokenEndpoint, listTokensEndpoint } from './contract.ts';

const listTokensApi = endpointOf<typeof listTokensEndpoint>('GET /v1/access-tokens');
const createTokenApi = endpointOf<typeof createTokenEndpoint>('POST /v1/access-tokens');

type Scope = (typeof GRANTED_SCOPES)[number];

/** Every scope that a token can have. */
const SCOPES: Readonly<Record<Scope, string>> = {
  read: 'read: figures, events, exports and settings, but not people, keys and tokens',
  'prompts:read': 'prompts:read: read prompts only, for an application that fetches them',
  'guardrails:check': 'guardrails:check: check texts with the guardrails of a project',
  'scores:write': 'scores:write: score traces and sessions, for feedback and evaluations',
  'datasets:write': 'datasets:write: add and change items of datasets',
  'experiments:run':
    'experiments:run: run experiments and report their results, for a CI job; may call models',
  'deployments:write': 'deployments:write: report and delete deployments, for a CI job',
  'ai:use': 'ai:use: call the models of this server, which costs money',
};
const isScope = (text: string): text is Scope => text in SCOPES;

/** Days by choice. */
const LIVES = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: '', label: 'never' },
];

type Props = { readonly onMade: (token: CreatedToken) => void; readonly onClose: () => void };

/** Creates a token and hands it over, because it is shown once. */
export function TokenForm({ onMade, onClose }: Props): JSX.Element {
  const { organizationId } = useMember();
  const me = useApi(meApi, {}).data;
  const own = me?.memberships.find((membership) => membership.organizationId === organizationId);
  const [scopes, setScopes] = useState<readonly string[]>(['read']);
  const create = useChange<Fields>({
    failed: 'The token was not created',
    inForm: true,
    send: async (fields) => {
      onMade(await send(createTokenApi, { query: { organizationId }, body: createBody(fields) }));
    },
    stale: [listTokensApi],
  });
  const form = useSubmit(async ({ name = '', projectId = '', days = '' }) => {
    await create.mutateAsync({ name, projectId, days, scopes });
    onClose();
  });
  return (
    <FormDialog title="New access token" form={form} submit="Create token" onClose={onClose}>
      <TextInput
        label="Name"
        name="name"
        placeholder="What it is for, such as cost report"
        required
        maxLength={200}
        data-autofocus
      />
      <Checkbox.Group label="Scopes" value={[...scopes]} onChange={setScopes}>
        <Stack gap="xs" mt={4}>
          {Object.entries(SCOPES).map(([scope, label]) => (
            <Checkbox key={scope} value={scope} label={label} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group grow gap="sm" align="start">
        <NativeSelect
          label="Project"
          name="projectId"
          data={[
            { value: '', label: 'All projects' },
            ...(own?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
        />
        <NativeSelect label="Expires" name="days" defaultValue="90" data={LIVES} />
      </Group>
    </FormDialog>
  );
}

type Fields = { name: string; projectId: string; days: string; scopes: readonly string[] };

const createBody = ({ name, projectId, days, scopes }: Fields) => ({
  name,
  scopes: scopes.filter(isScope),
  ...(projectId !== '' && { projectId }),
  ...(days !== '' && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
});
