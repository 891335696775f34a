import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type JSX, useState } from 'react';
import { ApiError, call, queryClient } from '../../dashboard/api.ts';
import type { Search } from '../../dashboard/search.ts';
import { session } from '../../dashboard/session.ts';
import { Gate } from '../../dashboard/ui/gate.tsx';
import type { LoginReply } from './contract.ts';

/** Where a sign-in leads: a path of this page, never another site. */
const safeNext = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';

export function SignInPage(): JSX.Element {
  const { next } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const signIn = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(event.currentTarget));
    setBusy(true);
    setFailure(null);
    try {
      const { token } = await call<LoginReply>('/v1/auth/login', { method: 'POST', body });
      queryClient.clear();
      session.start(token);
      await navigate({ href: safeNext(next) });
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 401;
      setFailure(wrong ? 'E-mail address or password is wrong.' : String((error as Error).message));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Gate title="Sign in">
      <form onSubmit={(event) => void signIn(event)} className="form">
        <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordInput label="Password" name="password" autoComplete="current-password" required />
        <p role="alert" className="form-error">
          {failure}
        </p>
        <Button type="submit" size="sm" loading={busy} fullWidth>
          Sign in
        </Button>
      </form>
      <p className="dim">
        Forgot the password, or no account yet? Whoever runs this server can make one with{' '}
        <code>spanledger users create</code>.
      </p>
    </Gate>
  );
}
