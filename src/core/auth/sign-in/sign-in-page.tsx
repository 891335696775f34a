import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useState } from 'react';
import { ApiError, call, queryClient, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Gate } from '../../../dashboard/shell/gate.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { getMethodsEndpoint, SignInMethods } from '../contract.ts';
import css from './sign-in-page.module.css';

const methodsApi = endpointOf<typeof getMethodsEndpoint>('GET /v1/auth/methods');

const SignUpForm = lazy(async () => ({ default: (await import('../sign-up/sign-up-form.tsx')).SignUpForm }));

/** Target of a sign-in: a path of this server, never another site. */
const safeNext = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';

type Way = 'password' | 'magic' | 'reset' | 'signup';

const TITLES: Record<Way, string> = {
  password: 'Sign in',
  magic: 'Sign in by e-mail',
  reset: 'Choose a new password',
  signup: 'Make an account',
};
const LINKS: Record<Way, string> = {
  password: 'Use a password',
  magic: 'Send me a link',
  reset: 'Forgot the password?',
  signup: 'Make an account',
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
  const { data: methods } = useApi(methodsApi, {});
  return (
    <Gate title={TITLES[way]}>
      {refusal !== null && (
        <p role="alert" className="form-error">
          {refusal}
        </p>
      )}
      {way === 'password' && <PasswordForm />}
      {way === 'signup' && (
        <Suspense>
          <SignUpForm mail={methods?.mail === true} />
        </Suspense>
      )}
      {(way === 'magic' || way === 'reset') && <MailForm key={way} way={way} />}
      {methods?.oauth.map((provider) => (
        <ProviderButton key={provider} provider={provider} />
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
          Forgot the password? This server sends no mail; whoever runs it can help from its command line.
        </p>
      )}
    </Gate>
  );
}

/** Why a provider's sign-in failed, from the fragment that the callback sets. */
const takeRefusal = (): string | null => {
  const reason = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get('error');
  if (reason !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return reason;
};

const PROVIDERS = { github: 'GitHub', google: 'Google' } as const;

function ProviderButton({ provider }: { provider: keyof typeof PROVIDERS }): JSX.Element {
  const { next } = useSearch({ from: '/sign-in' });
  const { busy, failure, onSubmit } = useSubmit(async () => {
    const body = { provider, next: safeNext(next) };
    const { url } = await call<{ url: string }>('/v1/auth/sign-in/social', { method: 'POST', body });
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
        Continue with {PROVIDERS[provider]}
      </Button>
    </form>
  );
}

function PasswordForm(): JSX.Element {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { busy, failure, onSubmit } = useSubmit(async (fields) => {
    await call('/v1/auth/login', { method: 'POST', body: { ...fields, cookie: true } }).catch(
      (error: unknown) => {
        throw error instanceof ApiError && error.status === 401
          ? new Error('E-mail address or password is wrong.')
          : error;
      },
    );
    queryClient.clear();
    await navigate({ href: safeNext(next) });
  });
  return (
    <form onSubmit={onSubmit} className="form">
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        data-autofocus
        autoFocus
      />
      <PasswordInput label="Password" name="password" autoComplete="current-password" required />
      <p role="alert" className="form-error">
        {failure}
      </p>
      <Button type="submit" size="sm" loading={busy} fullWidth>
        Sign in
      </Button>
    </form>
  );
}

const MAIL_ROUTES = {
  magic: '/v1/auth/sign-in/magic-link',
  reset: '/v1/auth/request-password-reset',
} as const;

function MailForm({ way }: { way: keyof typeof MAIL_ROUTES }): JSX.Element {
  const [sent, setSent] = useState<string | null>(null);
  const { busy, failure, onSubmit } = useSubmit(async ({ email }) => {
    const { message } = await call<{ message: string }>(MAIL_ROUTES[way], {
      method: 'POST',
      body: { email },
    });
    setSent(message);
  });
  if (sent !== null) return <p role="status">{sent}</p>;
  return (
    <form onSubmit={onSubmit} className="form">
      <TextInput label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      <p role="alert" className="form-error">
        {failure}
      </p>
      <Button type="submit" size="sm" loading={busy} fullWidth>
        Send the link
      </Button>
    </form>
  );
}
