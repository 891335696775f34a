import { Link, useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useRef, useState } from 'react';
import { queryClient, send, useApi } from '../../../dashboard/shell/api.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Gate } from '../../../dashboard/shell/gate.tsx';
import { challengeOf, heldFragment } from '../../../dashboard/shell/held-sign-in.ts';
import { meApi } from '../../../dashboard/shell/member.ts';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { postChangeEmailConfirmEndpoint } from '../account/contract.ts';
import type {
  postMagicLinkVerifyEndpoint,
  postResetEndpoint,
  postSignupConfirmEndpoint,
  postVerifyEndpoint,
} from '../contract.ts';
import { NewPassword } from '../passwords/new-password.tsx';

const confirmSignUpApi = endpointOf<typeof postSignupConfirmEndpoint>('POST /v1/auth/signup/confirm');
const resetApi = endpointOf<typeof postResetEndpoint>('POST /v1/auth/reset-password');
const magicLinkApi = endpointOf<typeof postMagicLinkVerifyEndpoint>('POST /v1/auth/magic-link/verify');
const changeEmailApi = endpointOf<typeof postChangeEmailConfirmEndpoint>(
  'POST /v1/auth/change-email/confirm',
);
const verifyApi = endpointOf<typeof postVerifyEndpoint>('POST /v1/auth/verify-email');

/** Links in mails after which the person chooses a password, by their kind: `/link#<kind>=<token>`. */
const CHOICES = { 'sign-up': 'Choose a password', reset: 'Choose a new password' } as const;
/** Links in mails that need no further input, by their kind. */
const REDEEMED = {
  magic: 'Signing you in',
  verify: 'Confirming your address',
  email: 'Changing your address',
} as const;
const CONFIRMED = 'Your address is confirmed.';

type LinkOf<K> = { readonly kind: K; readonly token: string };
const isKind = <K extends string>(kind: string, kinds: Readonly<Record<K, unknown>>): kind is K =>
  Object.hasOwn(kinds, kind);

/** A link from a mail about an account. */
export function MailLink({ kind, token }: { kind: string; token: string }): JSX.Element {
  if (isKind(kind, CHOICES)) return <ChoosePassword kind={kind} token={token} />;
  if (kind === 'verify') return <Verify token={token} />;
  if (isKind(kind, REDEEMED)) return <Redeem kind={kind} token={token} />;
  return (
    <Gate title="Unknown link" lead="This version of the server does not know this kind of link.">
      <Link to="/sign-in">Sign in</Link>
    </Gate>
  );
}

function ChoosePassword({ kind, token }: LinkOf<keyof typeof CHOICES>): JSX.Element {
  const navigate = useNavigate();
  const form = useSubmit(async ({ password = '' }) => {
    const body = { token, password, cookie: true };
    try {
      await (kind === 'reset' ? send(resetApi, { body }) : send(confirmSignUpApi, { body }));
    } catch (error) {
      const challenge = challengeOf(error);
      if (challenge === null) throw error;
      return navigate({ to: '/sign-in', hash: heldFragment(challenge) });
    }
    queryClient.clear();
    await navigate({ to: '/' });
  });
  return (
    <Gate title={CHOICES[kind]}>
      <EntryForm form={form} submit="Save and sign in">
        <NewPassword autoFocus />
      </EntryForm>
    </Gate>
  );
}

/** In another browser than the one of the sign-up, a new password ends what the account was opened with. */
function Verify({ token }: { token: string }): JSX.Element {
  const me = useApi(meApi, {});
  const [saved, setSaved] = useState(false);
  const form = useSubmit(async ({ password = '' }) => {
    await send(verifyApi, { body: { token, password } });
    setSaved(true);
  });
  if (me.isPending) return <Gate title="One moment …">{null}</Gate>;
  if (me.data !== undefined) return <Redeem kind="verify" token={token} />;
  if (saved)
    return (
      <Gate title="Address confirmed" lead={`${CONFIRMED} Your new password is saved.`}>
        <Link to="/sign-in">Sign in</Link>
      </Gate>
    );
  return (
    <Gate
      title="Confirm your address"
      lead="You are not signed in here. Choose a new password: it replaces the one that the account was created with, and ends its login sessions."
    >
      <EntryForm form={form} submit="Confirm and save">
        <NewPassword autoFocus />
      </EntryForm>
    </Gate>
  );
}

function redeem(kind: keyof typeof REDEEMED, token: string): Promise<unknown> {
  if (kind === 'magic') return send(magicLinkApi, { body: { token, cookie: true } });
  return kind === 'email' ? send(changeEmailApi, { body: { token } }) : send(verifyApi, { body: { token } });
}

/** Redeems the link once, without a further click, because opening it was the decision. */
function Redeem({ kind, token }: LinkOf<keyof typeof REDEEMED>): JSX.Element {
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<string | null>(null);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const redeemed = redeem(kind, token);
    redeemed
      .then(async () => {
        queryClient.clear();
        if (kind === 'magic') await navigate({ to: '/' });
        else setOutcome(kind === 'email' ? 'Your address is changed.' : CONFIRMED);
      })
      .catch((error: ApiError) => {
        const challenge = challengeOf(error);
        if (challenge !== null) void navigate({ to: '/sign-in', hash: heldFragment(challenge) });
        else if (kind === 'email' && error.status === 401)
          setOutcome('Sign in to your account in this browser, then open the link again.');
        else setOutcome(error.message);
      });
  }, [kind, token, navigate]);
  return (
    <Gate title={REDEEMED[kind]}>
      <p role="status">{outcome ?? 'One moment …'}</p>
      {outcome !== null && <Link to="/">Continue</Link>}
    </Gate>
  );
}
