import { Button, PasswordInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useRef, useState } from 'react';
import { call, queryClient } from '../../dashboard/api.ts';
import { Gate } from '../../dashboard/ui/gate.tsx';
import { useSubmit } from '../../dashboard/use-submit.ts';

/** The links that mails hold, `/link#<kind>=<token>`: what each does and says. */
const KINDS = {
  'sign-up': { title: 'Choose a password', route: '/v1/auth/signup/confirm', asks: true },
  reset: { title: 'Choose a new password', route: '/v1/auth/reset-password', asks: true },
  magic: { title: 'Signing you in', route: '/v1/auth/magic-link/verify', asks: false },
  verify: { title: 'Confirming your address', route: '/v1/auth/verify-email', asks: false },
} as const;
type Kind = keyof typeof KINDS;
type LinkOf = { readonly kind: Kind; readonly token: string };

/** The fragment never leaves the browser, and it leaves the address at once. */
const takeLink = (): LinkOf | null => {
  const [[kind = '', token = ''] = []] = [...new URLSearchParams(location.hash.slice(1))];
  if (token === '' || !(kind in KINDS)) return null;
  history.replaceState(history.state, '', location.pathname);
  return { kind: kind as Kind, token };
};

export function LinkPage(): JSX.Element {
  const [link] = useState(takeLink);
  if (link === null)
    return (
      <Gate title="This link is not whole" lead="Open it from the mail once more.">
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  return KINDS[link.kind].asks ? <ChoosePassword {...link} /> : <Redeem {...link} />;
}

function ChoosePassword({ kind, token }: LinkOf): JSX.Element {
  const navigate = useNavigate();
  const { busy, failure, onSubmit } = useSubmit(async ({ password }) => {
    await call(KINDS[kind].route, { method: 'POST', body: { token, password, cookie: true } });
    queryClient.clear();
    await navigate({ to: '/' });
  });
  return (
    <Gate title={KINDS[kind].title}>
      <form onSubmit={onSubmit} className="form">
        <PasswordInput
          label="Password"
          description="At least 8 characters"
          name="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={1024}
          autoFocus
        />
        <p role="alert" className="form-error">
          {failure}
        </p>
        <Button type="submit" size="sm" loading={busy} fullWidth>
          Save and sign in
        </Button>
      </form>
    </Gate>
  );
}

/** Redeemed at once, and once: opening the link was the decision. */
function Redeem({ kind, token }: LinkOf): JSX.Element {
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<string | null>(null);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const body = kind === 'magic' ? { token, cookie: true } : { token };
    call(KINDS[kind].route, { method: 'POST', body })
      .then(async () => {
        queryClient.clear();
        if (kind === 'magic') await navigate({ to: '/' });
        else setOutcome('Your address is confirmed.');
      })
      .catch((error: Error) => setOutcome(error.message));
  }, [kind, token, navigate]);
  return (
    <Gate title={KINDS[kind].title}>
      <p role="status">{outcome ?? 'One moment …'}</p>
      {outcome !== null && <Link to="/">Continue</Link>}
    </Gate>
  );
}
