import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { type ApiError, call, queryClient, useApi } from '../../dashboard/api.ts';
import { Gate } from '../../dashboard/ui/gate.tsx';
import { useSubmit } from '../../dashboard/use-submit.ts';
import type { Me } from '../auth/contract.ts';
import type { InvitationPreview } from './contract.ts';

/** Behind the link of an invitation: accept it, as who is signed in or with a new account. */
export function InvitationPage({ token }: { token: string }): JSX.Element {
  const preview = useQuery<InvitationPreview, ApiError>({
    queryKey: ['/v1/invitations/preview', token],
    queryFn: () => call('/v1/invitations/preview', { method: 'POST', body: { token } }),
    retry: false,
  });
  const me = useApi<Me>('/v1/auth/me');
  if (preview.error !== null)
    return (
      <Gate title="Invitation" lead={preview.error.message}>
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  if (preview.data === undefined || me.isPending) return <Gate title="Invitation"> </Gate>;
  const { organizationName, role } = preview.data;
  return (
    <Gate title={`Join ${organizationName}`} lead={`You are invited as ${role}.`}>
      {me.data !== undefined ? (
        <Accept token={token} email={me.data.user.email} />
      ) : preview.data.hasAccount === true ? (
        <p>
          {preview.data.email} has an account here. <Link to="/sign-in">Sign in</Link>, then open this link
          once more.
        </p>
      ) : (
        <SignUp token={token} email={preview.data.email} />
      )}
    </Gate>
  );
}

function Accept({ token, email }: { token: string; email: string }): JSX.Element {
  const navigate = useNavigate();
  const { busy, failure, onSubmit } = useSubmit(async () => {
    await call('/v1/invitations/accept', { method: 'POST', body: { token } });
    queryClient.clear();
    await navigate({ to: '/' });
  });
  return (
    <form onSubmit={onSubmit} className="form">
      <p role="alert" className="form-error">
        {failure}
      </p>
      <Button type="submit" size="sm" loading={busy} fullWidth>
        Join as {email}
      </Button>
    </form>
  );
}

function SignUp({ token, email }: { token: string; email: string | null }): JSX.Element {
  const navigate = useNavigate();
  const { busy, failure, onSubmit } = useSubmit(async ({ name = '', ...fields }) => {
    const body = { token, ...fields, ...(name === '' ? {} : { name }), cookie: true };
    await call('/v1/invitations/sign-up', { method: 'POST', body });
    queryClient.clear();
    await navigate({ to: '/' });
  });
  return (
    <form onSubmit={onSubmit} className="form">
      {email === null ? (
        <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      ) : (
        <TextInput label="E-mail" value={email} readOnly />
      )}
      <TextInput label="Name" name="name" autoComplete="name" maxLength={200} />
      <PasswordInput
        label="Password"
        description="At least 8 characters"
        name="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={1024}
      />
      <p role="alert" className="form-error">
        {failure}
      </p>
      <Button type="submit" size="sm" loading={busy} fullWidth>
        Join
      </Button>
    </form>
  );
}
