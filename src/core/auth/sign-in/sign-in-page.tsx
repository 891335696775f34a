import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useState } from 'react';
import { queryClient, send, useApi } from '../../../dashboard/shell/api.ts';
import { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Gate } from '../../../dashboard/shell/gate.tsx';
import { challengeOf, takeChallenge, takeFragment } from '../../../dashboard/shell/held-sign-in.ts';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type {
  getMethodsEndpoint,
  postLoginEndpoint,
  postMagicLinkEndpoint,
  postRequestResetEndpoint,
  postSocialEndpoint,
  SignInMethods,
} from '../contract.ts';
import css from './sign-in-page.module.css';

const loginApi = endpointOf<typeof postLoginEndpoint>('POST /v1/auth/login');
const socialApi = endpointOf<typeof postSocialEndpoint>('POST /v1/auth/sign-in/social');
const magicLinkApi = endpointOf<typeof postMagicLinkEndpoint>('POST /v1/auth/sign-in/magic-link');
const resetApi = endpointOf<typeof postRequestResetEndpoint>('POST /v1/auth/request-password-reset');
const methodsApi = endpointOf<typeof getMethodsEndpoint>('GET /v1/auth/methods');

const SecondStepForm = lazy(async () => ({
  default: (await import('../two-factor/second-step-form.tsx')).SecondStepForm,
}));
const PasskeySignIn = lazy(async () => ({
  default: (await import('../passkeys/passkey-sign-in.tsx')).PasskeySignIn,
}));
const SignUpForm = lazy(async () => ({ default: (await import('../sign-up/sign-up-form.tsx')).SignUpForm }));

/** Target of a sign-in: a path of this server, never another site. */
const safeNext = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';

type Way = 'password' | 'magic' | 'reset' | 'signup';

const TITLES: Record<Way, string> = {
  password: 'Sign in',
  magic: 'Sign in by email',
  reset: 'Reset your password',
  signup: 'Create account',
};
const LINKS: Record<Way, string> = {
  password: 'Use a password',
  magic: 'Email me a link',
  reset: 'Forgot your password?',
  signup: 'Create account',
};

/** The ways that the server offers: links require mail, sign-up requires SIGNUP=open. */
const waysOf = ({ mail, signup }: SignInMethods): Way[] => [
  'password',
  ...(mail ? (['magic', 'reset'] as const) : []),
  ...(signup === 'open' ? (['signup'] as const) : []),
];

/** Sign-in by password, by a provider, or by a link if the server sends mail. */
export function SignInPage(): JSX.Element {
  const [way, setWay] = useState<Way>('password');
  const [refusal] = useState(takeRefusal);
  const [held, setHeld] = useState(takeChallenge);
  const { data: methods } = useApi(methodsApi, {});
  const enter = useEnter();
  if (held !== null)
    return (
      <Gate title="Confirm that it is you" lead="Your account has a second factor.">
        <Suspense>
          <SecondStepForm challenge={held} onDone={enter} onRestart={() => setHeld(null)} />
        </Suspense>
      </Gate>
    );
  // Nobody can sign in yet: that page says how the owner is set up.
  if (methods?.needsOwner) return <Navigate to="/setup" replace />;
  return (
    <Gate title={TITLES[way]}>
      {refusal !== null && (
        <p role="alert" className="form-error">
          {refusal}
        </p>
      )}
      {way === 'password' && <PasswordForm onDone={enter} onHeld={setHeld} />}
      {way === 'signup' && (
        <Suspense>
          <SignUpForm mail={methods?.mail === true} />
        </Suspense>
      )}
      {(way === 'magic' || way === 'reset') && <MailForm key={way} way={way} />}
      {methods?.passkeys === true && way === 'password' && (
        <Suspense>
          <PasskeySignIn onDone={enter} />
        </Suspense>
      )}
      {methods?.oauth.map((provider) => (
        <ProviderButton key={provider.id} {...provider} />
      ))}
      {methods !== undefined && (
        <div className={css.ways}>
          {waysOf(methods)
            .filter((other) => other !== way)
            .map((other) => (
              <Anchor key={other} component="button" type="button" size="sm" onClick={() => setWay(other)}>
                {LINKS[other]}
              </Anchor>
            ))}
        </div>
      )}
      {methods?.mail === false && (
        <p className="dim">
          Forgot your password? This server sends no email. Ask its operator to reset it on the command line.
        </p>
      )}
    </Gate>
  );
}

/** Why a provider's sign-in failed, from the fragment that the callback sets. */
const takeRefusal = (): string | null => takeFragment('error');

/** Opens the page that the person wanted, after the browser is signed in. */
function useEnter(): () => Promise<void> {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  return async () => {
    queryClient.clear();
    await navigate({ href: safeNext(next) });
  };
}

function ProviderButton({ id, name }: SignInMethods['oauth'][number]): JSX.Element {
  const { next } = useSearch({ from: '/sign-in' });
  const { busy, failure, onSubmit } = useSubmit(async () => {
    const { url } = await send(socialApi, { body: { provider: id, next: safeNext(next) } });
    location.assign(url);
  });
  return (
    <form onSubmit={onSubmit}>
      {failure !== null && (
        <p role="alert" className="form-error">
          {failure}
        </p>
      )}
      <Button type="submit" size="sm" variant="default" loading={busy} fullWidth>
        Continue with {name}
      </Button>
    </form>
  );
}

type PasswordProps = {
  readonly onDone: () => Promise<void>;
  /** Called with the challenge if the account has a second factor. */
  readonly onHeld: (challenge: string) => void;
};

function PasswordForm({ onDone, onHeld }: PasswordProps): JSX.Element {
  const form = useSubmit(async ({ email = '', password = '' }) => {
    try {
      await send(loginApi, { body: { email, password, cookie: true } });
    } catch (error) {
      const challenge = challengeOf(error);
      if (challenge !== null) return onHeld(challenge);
      throw error instanceof ApiError && error.status === 401
        ? new Error('The email address or password is wrong.')
        : error;
    }
    await onDone();
  });
  return (
    <EntryForm form={form} submit="Sign in">
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        data-autofocus
        autoFocus
      />
      <PasswordInput label="Password" name="password" autoComplete="current-password" required />
    </EntryForm>
  );
}

function MailForm({ way }: { way: 'magic' | 'reset' }): JSX.Element {
  const [sent, setSent] = useState<string | null>(null);
  const form = useSubmit(async ({ email = '' }) => {
    const body = { email };
    const reply = await (way === 'magic' ? send(magicLinkApi, { body }) : send(resetApi, { body }));
    setSent(reply.message);
  });
  if (sent !== null) return <p role="status">{sent}</p>;
  return (
    <EntryForm form={form} submit="Send link">
      <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
    </EntryForm>
  );
}
