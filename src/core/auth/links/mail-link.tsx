import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useRef, useState } from 'react';
import { call, queryClient } from '../../../dashboard/shell/api.ts';
import { Gate } from '../../../dashboard/shell/gate.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { NewPassword } from '../passwords/new-password.tsx';

/** The kinds of links in mails, `/link#<kind>=<token>`, with their page and route. */
const KINDS = {
  'sign-up': { title: 'Choose a password', route: '/v1/auth/signup/confirm', asks: true },
  reset: { title: 'Choose a new password', route: '/v1/auth/reset-password', asks: true },
  magic: { title: 'Signing you in', route: '/v1/auth/magic-link/verify', asks: false },
  verify: { title: 'Confirming your address', route: '/v1/auth/verify-email', asks: false },
} as const;
type Kind = keyof typeof KINDS;
type LinkOf = { readonly kind: Kind; readonly token: string };

/** A link from a mail about an account. */
export function MailLink({ kind, token }: { kind: string; token: string }): JSX.Element {
  if (!isKind(kind))
    return (
      <Gate title="This link leads nowhere" lead="It may be of a newer version of this server.">
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  return KINDS[kind].asks ? (
    <ChoosePassword kind={kind} token={token} />
  ) : (
    <Redeem kind={kind} token={token} />
  );
}

const isKind = (kind: string): kind is Kind => kind in KINDS;

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
        <NewPassword autoFocus />
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

/** Redeems the link once, without a further click, because opening it was the decision. */
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
