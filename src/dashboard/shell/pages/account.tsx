import type { JSX } from 'react';
import { AccountPage } from '../../../core/auth/account/account-page.tsx';
import { OwnReports } from '../../../features/scheduled-reports/pages/own-reports.tsx';

/** The page of the signed-in person's account, with what other modules show on it. */
export const Account = (): JSX.Element => <AccountPage {...{ OwnReports }} />;
