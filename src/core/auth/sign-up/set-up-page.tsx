import { Button, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { queryClient, send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Gate } from '../../../dashboard/shell/gate.tsx';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { SecretOnce } from '../../../dashboard/ui/secret-once.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { postSetupEndpoint, SetupReply } from '../contract.ts';
import { NewPassword } from '../passwords/new-password.tsx';

const setUpApi = endpointOf<typeof postSetupEndpoint>('POST /v1/auth/setup');

/** Takes the token from the link's fragment, which no server or log sees, and removes it from the address. */
const takeToken = (): string => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
};

/** First run: the one-time link sets up the owner. */
export function SetUpPage(): JSX.Element {
  const [token] = useState(takeToken);
  const [made, setMade] = useState<SetupReply | null>(null);
  if (made !== null) return <Done made={made} />;
  if (token === '') return <WithoutToken />;
  return <Form token={token} onDone={setMade} />;
}

const WithoutToken = (): JSX.Element => (
  <Gate
    title="Set up Spanledger"
    lead={
      <>
        Open the whole link that <code>spanledger serve</code> prints. This one has no token.
      </>
    }
  >
    <p>
      Already set up? <Link to="/sign-in">Sign in</Link>
    </p>
  </Gate>
);

function Form({ token, onDone }: { token: string; onDone: (made: SetupReply) => void }): JSX.Element {
  const form = useSubmit(async (fields) => {
    const { organization = '', project = '', email = '', password = '' } = fields;
    const body = { token, organization, project, email, password, cookie: true };
    const made = await send(setUpApi, { body });
    queryClient.clear();
    onDone(made);
  });
  return (
    <Gate
      title="Set up Spanledger"
      lead="Create the owner account of this empty ledger. The link works once, for 30 minutes."
    >
      <EntryForm form={form} submit="Create owner account">
        <TextInput
          label="Organization"
          name="organization"
          autoComplete="organization"
          required
          maxLength={200}
          autoFocus
        />
        <TextInput label="Project" name="project" placeholder="assistant" required maxLength={200} />
        <TextInput label="Email" name="email" type="email" autoComplete="username" required />
        <NewPassword />
      </EntryForm>
    </Gate>
  );
}

function Done({ made }: { made: SetupReply }): JSX.Element {
  const navigate = useNavigate();
  return (
    <Gate title="Your ledger is ready" lead="Copy its first API key now, it is shown only once:">
      <SecretOnce value={made.apiKey} />
      <Button
        size="sm"
        fullWidth
        mt="md"
        onClick={() =>
          void navigate({ to: '/projects/$projectId/start', params: { projectId: made.projectId } })
        }
      >
        Send your first event
      </Button>
    </Gate>
  );
}
