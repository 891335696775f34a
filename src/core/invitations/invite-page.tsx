import { TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useState } from 'react';
import { queryClient, send, useApi } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Gate } from '../../dashboard/shell/gate.tsx';
import { meApi } from '../../dashboard/shell/member.ts';
import { EntryForm } from '../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { NewPassword } from '../auth/passwords/new-password.tsx';
import type {
  InvitationPreview,
  postAcceptEndpoint,
  postPreviewEndpoint,
  postSignUpEndpoint,
} from './contract.ts';

const previewApi = endpointOf<typeof postPreviewEndpoint>('POST /v1/invitations/preview');
const acceptApi = endpointOf<typeof postAcceptEndpoint>('POST /v1/invitations/accept');
const signUpApi = endpointOf<typeof postSignUpEndpoint>('POST /v1/invitations/sign-up');

/** Session storage key of the token while the person signs in first. */
const WAITING = 'invitation';

/** Takes the token from the fragment, which never leaves the browser, and removes it from the address. */
const takeToken = (): string => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (token === '') return sessionStorage.getItem(WAITING) ?? '';
  history.replaceState(history.state, '', location.pathname);
  sessionStorage.setItem(WAITING, token);
  return token;
};

const forget = (): void => {
  sessionStorage.removeItem(WAITING);
  queryClient.clear();
};

/** The page of an invitation's link: join with the signed-in account, or with a new one. */
export function InvitePage(): JSX.Element {
  const [token] = useState(takeToken);
  const [preview, setPreview] = useState<InvitationPreview | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const me = useApi(meApi, {});
  useEffect(() => {
    if (token === '') return;
    send(previewApi, { body: { token } })
      .then(setPreview)
      .catch((error: ApiError) => setFailure(error.message));
  }, [token]);
  if (token === '')
    return (
      <Gate title="This link is incomplete" lead="Open the link of the invitation again.">
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  if (failure !== null)
    return (
      <Gate title="This invitation is not valid" lead={failure}>
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  if (preview === null || me.isPending) return <Gate title="One moment …">{null}</Gate>;
  return (
    <Gate title={`Join ${preview.organizationName}`} lead={`You are invited as ${preview.role}.`}>
      {me.data !== undefined ? (
        <Join token={token} email={me.data.user.email} />
      ) : (
        <SignUp token={token} preview={preview} />
      )}
    </Gate>
  );
}

function Join({ token, email }: { token: string; email: string }): JSX.Element {
  const navigate = useNavigate();
  const form = useSubmit(async () => {
    await send(acceptApi, { body: { token } });
    forget();
    await navigate({ to: '/' });
  });
  return (
    <EntryForm form={form} submit="Join">
      <p>You are signed in as {email}.</p>
    </EntryForm>
  );
}

/** The same whether the address has an account: only the person knows. */
function SignUp({ token, preview }: { token: string; preview: InvitationPreview }): JSX.Element {
  const { mailFirst } = preview;
  const [sent, setSent] = useState<string | null>(null);
  const navigate = useNavigate();
  const form = useSubmit(async ({ name, email, password }) => {
    // JSON leaves out what is undefined; the server refuses an empty name.
    const reply = await send(signUpApi, {
      body: { token, email, password, name: name || undefined, cookie: true },
    });
    if ('message' in reply) {
      setSent(reply.message);
      return;
    }
    forget();
    await navigate({ to: '/' });
  });
  if (sent !== null) return <p role="status">{sent}</p>;
  return (
    <>
      <EntryForm form={form} submit={mailFirst ? 'Send link' : 'Create account and join'}>
        {preview.email === null ? (
          <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        ) : (
          <TextInput label="Email" value={preview.email} autoComplete="username" readOnly />
        )}
        {!mailFirst && (
          <>
            <TextInput label="Your name" name="name" autoComplete="name" maxLength={200} />
            <NewPassword />
          </>
        )}
      </EntryForm>
      <p>
        <Link to="/sign-in" search={{ next: '/invite' }}>
          Sign in with your account
        </Link>
      </p>
    </>
  );
}
