import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { queryClient, send, useApi } from '../../../dashboard/shell/api.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Gate } from '../../../dashboard/shell/gate.tsx';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { SecretOnce } from '../../../dashboard/ui/secret-once.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { checkSetupEndpoint, getMethodsEndpoint, postSetupEndpoint, SetupReply } from '../contract.ts';
import { NewPassword } from '../passwords/new-password.tsx';

const methodsApi = endpointOf<typeof getMethodsEndpoint>('GET /v1/auth/methods');
const checkSetupApi = endpointOf<typeof checkSetupEndpoint>('POST /v1/auth/setup/check');
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
  return <Checked token={token} onDone={setMade} />;
}

type TokenProps = { readonly token: string; readonly onDone: (made: SetupReply) => void };

/** The form, or why the link does not open it: nobody fills it in for a link that is refused. */
function Checked(props: TokenProps): JSX.Element {
  const { token } = props;
  const check = useQuery<boolean, ApiError>({
    queryKey: ['setup-token', token],
    queryFn: async ({ signal }) => {
      await send(checkSetupApi, { body: { token }, signal });
      return true;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (check.isPending) return <Gate title={TITLE}>{null}</Gate>;
  if (check.error?.status === 403)
    return (
      <WithoutToken>
        <span role="alert">{check.error.message}.</span>
      </WithoutToken>
    );
  return <Form {...props} />;
}

const TITLE = 'Set up Spanledger';

/** How a ledger without an owner gets one. `children`: why the link that was opened did not do. */
function WithoutToken({ children }: { children?: JSX.Element }): JSX.Element {
  const { data: methods } = useApi(methodsApi, {});
  if (methods?.needsOwner === false)
    return (
      <Gate title="This ledger is set up" lead="It has an owner.">
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  return (
    <Gate title={TITLE} lead={children ?? 'This ledger has no owner yet.'}>
      <p>
        <code>spanledger serve</code> prints a link that creates the owner account. It works once, for 30
        minutes; each start prints a new one. Open the whole link.
      </p>
      <p className="dim">
        Or run <code>spanledger init</code> on the machine of the server.
      </p>
    </Gate>
  );
}

function Form({ token, onDone }: TokenProps): JSX.Element {
  const form = useSubmit(async (fields) => {
    const { organization = '', project = '', email = '', password = '' } = fields;
    const body = { token, organization, project, email, password, cookie: true };
    const made = await send(setUpApi, { body });
    queryClient.clear();
    onDone(made);
  });
  return (
    <Gate
      title={TITLE}
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
