import { Link, Navigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { meApi } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { PasskeysPanel } from '../passkeys/passkeys-panel.tsx';
import { RecoveryPanel } from './recovery-panel.tsx';
import { TotpPanel } from './totp-panel.tsx';
import { twoFactorApi } from './two-factor-api.tsx';
import { useNewCodes } from './use-new-codes.tsx';

/** Authenticator app, passkeys and recovery codes of the signed-in person. */
export function SecurityPage(): JSX.Element {
  const factors = useApi(twoFactorApi, {});
  const me = useApi(meApi, {});
  const { newCodes, showCodes } = useNewCodes();
  if (factors.error?.status === 401 || me.error?.status === 401)
    return <Navigate to="/sign-in" search={{ next: '/account/security' }} replace />;
  const closed = me.data?.memberships.filter(({ needsSecondFactor }) => needsSecondFactor) ?? [];
  return (
    <main id="main">
      <Page
        title="Account security"
        detail={<span className="dim">{me.data?.user.email}</span>}
        actions={<Link to="/">Back to the dashboard</Link>}
        scoped={false}
      >
        <div className="steps">
          {closed.map(({ organizationId, organizationName }) => (
            <p key={organizationId} role="status" className="warn">
              {organizationName} requires a second factor. Add an authenticator app or a passkey to open it.
            </p>
          ))}
          <p className="dim lead">
            With an authenticator app or a passkey, your password, a link or an identity provider alone does
            not sign in to your account.
          </p>
          {newCodes}
          <Loaded
            of={factors}
            loading={
              <Panel>
                <LoadingRows rows={3} />
              </Panel>
            }
          >
            {(data) => (
              <div className="stack">
                <TotpPanel factors={data} onCodes={showCodes} />
                <PasskeysPanel factors={data} onCodes={showCodes} />
                <RecoveryPanel factors={data} onCodes={showCodes} />
              </div>
            )}
          </Loaded>
        </div>
      </Page>
    </main>
  );
}
