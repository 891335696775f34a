import { Link as RouterLink } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useState } from 'react';
import { Gate } from './gate.tsx';

const MailLink = lazy(async () => ({
  default: (await import('../../core/auth/links/mail-link.tsx')).MailLink,
}));
/** What is behind `/link#<kind>=<token>`. The fragment never leaves the browser, and it leaves the address at once. */
const takeLink = (): { kind: string; token: string } => {
  const [[kind = '', token = ''] = []] = [...new URLSearchParams(location.hash.slice(1))];
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return { kind, token };
};

/** Where the links of mails lead. */
export function Link(): JSX.Element {
  const [{ kind, token }] = useState(takeLink);
  if (token === '')
    return (
      <Gate title="This link is incomplete" lead="Open the link from the mail again.">
        <RouterLink to="/sign-in">Sign in</RouterLink>
      </Gate>
    );
  return (
    <Suspense>
      <MailLink kind={kind} token={token} />
    </Suspense>
  );
}
