import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { apiQuery, queryClient, refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { meApi } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { forgetTab } from '../../../dashboard/shell/tab-memory.ts';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { saveFile } from '../../../dashboard/ui/save-file.ts';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { Me, postChangePasswordEndpoint, putMeEndpoint } from '../contract.ts';
import { NewPassword } from '../passwords/new-password.tsx';
import type { TwoFactor } from '../two-factor/contract.ts';
import { TotpPanel } from '../two-factor/totp-panel.tsx';
import { ProofField, proofOf, twoFactorApi } from '../two-factor/two-factor-api.tsx';
import { useNewCodes } from '../two-factor/use-new-codes.tsx';
import type { getExportEndpoint, postChangeEmailEndpoint, postDeleteAccountEndpoint } from './contract.ts';
import { SessionsPanel } from './sessions-panel.tsx';

const renameApi = endpointOf<typeof putMeEndpoint>('PUT /v1/auth/me');
const changeEmailApi = endpointOf<typeof postChangeEmailEndpoint>('POST /v1/auth/change-email');
const changePasswordApi = endpointOf<typeof postChangePasswordEndpoint>('POST /v1/auth/change-password');
const exportApi = endpointOf<typeof getExportEndpoint>('GET /v1/auth/export');
const deleteAccountApi = endpointOf<typeof postDeleteAccountEndpoint>('POST /v1/auth/delete-account');

/**
 * Name, address, password, login sessions and deletion of the signed-in person's account.
 * @param OwnReports what is mailed to the person
 */
export function AccountPage({ OwnReports }: { readonly OwnReports: () => JSX.Element | null }): JSX.Element {
  const me = useApi(meApi, {});
  const factors = useApi(twoFactorApi, {});
  const { newCodes, showCodes } = useNewCodes();
  if (me.error?.status === 401) return <Navigate to="/sign-in" search={{ next: '/account' }} replace />;
  return (
    <main id="main">
      <Page
        title="Your account"
        detail={<span className="dim">{me.data?.user.email}</span>}
        actions={<Link to="/">Back to the dashboard</Link>}
        scoped={false}
      >
        <Loaded of={factors} loading={<LoadingRows rows={3} />}>
          {(found) =>
            me.data !== undefined && (
              <div className="steps">
                <NamePanel user={me.data.user} />
                <EmailPanel user={me.data.user} factors={found} />
                {found.hasPassword && <PasswordPanel />}
                <SessionsPanel />
                {newCodes}
                <TotpPanel factors={found} onCodes={showCodes} />
                <p>
                  <Link to="/account/security">Passkeys and recovery codes</Link>
                </p>
                <OwnReports />
                <DataPanel />
                <DeletePanel factors={found} />
              </div>
            )
          }
        </Loaded>
      </Page>
    </main>
  );
}

function NamePanel({ user }: { user: Me['user'] }): JSX.Element {
  const [saved, setSaved] = useState(false);
  const form = useSubmit(async ({ name = '' }) => {
    await send(renameApi, { body: { name } });
    await refresh(meApi);
    setSaved(true);
  });
  return (
    <Panel title="Name">
      <EntryForm form={form} submit="Save name">
        <TextInput label="Your name" name="name" defaultValue={user.name} required maxLength={200} />
        {saved && <p role="status">Saved.</p>}
      </EntryForm>
    </Panel>
  );
}

function EmailPanel({ user, factors }: { user: Me['user']; factors: TwoFactor }): JSX.Element {
  const [sent, setSent] = useState<string | null>(null);
  const form = useSubmit(async ({ email = '', ...fields }) => {
    const { message } = await send(changeEmailApi, { body: { email, ...proofOf(fields) } });
    setSent(message);
  });
  return (
    <Panel title="Email" detail={user.emailVerified ? 'Confirmed' : 'Not confirmed'}>
      {sent !== null ? (
        <p role="status">{sent}. Open it in this browser to change your address.</p>
      ) : (
        <EntryForm form={form} submit="Send link to the new address">
          <TextInput label="New email" name="email" type="email" placeholder={user.email} required />
          <ProofField factors={factors} />
        </EntryForm>
      )}
    </Panel>
  );
}

function PasswordPanel(): JSX.Element {
  const [saved, setSaved] = useState(false);
  const form = useSubmit(async ({ currentPassword = '', password = '' }) => {
    await send(changePasswordApi, { body: { currentPassword, newPassword: password } });
    setSaved(true);
  });
  return (
    <Panel title="Password">
      {saved ? (
        <p role="status">Your password is changed, and your other login sessions have ended.</p>
      ) : (
        <EntryForm form={form} submit="Change password">
          <PasswordInput
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            required
          />
          <NewPassword label="New password" />
        </EntryForm>
      )}
    </Panel>
  );
}

function DataPanel(): JSX.Element {
  const form = useSubmit(async () => {
    const data = await queryClient.fetchQuery(apiQuery(exportApi, {}));
    saveFile('spanledger-account.json', `${JSON.stringify(data, null, 2)}\n`, 'application/json');
  });
  return (
    <Panel title="Your data">
      <form onSubmit={form.onSubmit} className="form">
        <p className="dim">
          What is stored about you: account, memberships, login sessions and ways to sign in, as JSON.
        </p>
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        <Button type="submit" variant="default" className="own-width" loading={form.busy}>
          Download
        </Button>
      </form>
    </Panel>
  );
}

function DeletePanel({ factors }: { factors: TwoFactor }): JSX.Element {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const form = useSubmit(async (fields) => {
    await send(deleteAccountApi, { body: proofOf(fields) });
    queryClient.clear();
    forgetTab();
    await navigate({ to: '/sign-in' });
  });
  return (
    <Panel title="Delete your account">
      <p className="dim">
        Your memberships, login sessions and access tokens end at once. What you made stays with its
        organization, without your name. The audit log keeps your address.
      </p>
      {open ? (
        <EntryForm form={form} submit="Delete my account">
          <ProofField factors={factors} />
        </EntryForm>
      ) : (
        <Button variant="default" color="red" onClick={() => setOpen(true)}>
          Delete account …
        </Button>
      )}
    </Panel>
  );
}
