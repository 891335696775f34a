import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { queryClient, send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { postSignupEndpoint } from '../contract.ts';
import { NewPassword } from '../passwords/new-password.tsx';

const signUpApi = endpointOf<typeof postSignupEndpoint>('POST /v1/auth/signup');

/** Creates an account with an organization: at once, or through a mailed link if the server sends mail. */
export function SignUpForm({ mail }: { mail: boolean }): JSX.Element {
  const [sent, setSent] = useState<string | null>(null);
  const navigate = useNavigate();
  const form = useSubmit(async ({ email = '', name, organization, password }) => {
    // JSON leaves out what is undefined; the server refuses empty names.
    const reply = await send(signUpApi, {
      body: {
        email,
        name: name || undefined,
        organization: organization || undefined,
        password: password || undefined,
        cookie: true,
      },
    });
    if ('message' in reply) {
      setSent(reply.message);
      return;
    }
    queryClient.clear();
    await navigate({ to: '/' });
  });
  if (sent !== null) return <p role="status">{sent}</p>;
  return (
    <EntryForm form={form} submit={mail ? 'Send link' : 'Create account'}>
      <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
      <TextInput label="Your name" name="name" autoComplete="name" maxLength={200} />
      <TextInput label="Organization" name="organization" autoComplete="organization" maxLength={200} />
      {!mail && <NewPassword />}
    </EntryForm>
  );
}
