import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { call, queryClient } from '../../../dashboard/shell/api.ts';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { NewPassword } from '../passwords/new-password.tsx';

type Reply = { readonly message?: string };

/** Creates an account with an organization: at once, or through a mailed link if the server sends mail. */
export function SignUpForm({ mail }: { mail: boolean }): JSX.Element {
  const [sent, setSent] = useState<string | null>(null);
  const navigate = useNavigate();
  const { busy, failure, onSubmit } = useSubmit(async (fields) => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
    const body = { ...given, cookie: true };
    const { message } = await call<Reply>('/v1/auth/signup', { method: 'POST', body });
    if (message !== undefined) {
      setSent(message);
      return;
    }
    queryClient.clear();
    await navigate({ to: '/' });
  });
  if (sent !== null) return <p role="status">{sent}</p>;
  return (
    <form onSubmit={onSubmit} className="form">
      <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      <TextInput label="Your name" name="name" autoComplete="name" maxLength={200} />
      <TextInput label="Organization" name="organization" autoComplete="organization" maxLength={200} />
      {!mail && <NewPassword />}
      <p role="alert" className="form-error">
        {failure}
      </p>
      <Button type="submit" size="sm" loading={busy} fullWidth>
        {mail ? 'Send the link' : 'Make the account'}
      </Button>
    </form>
  );
}
