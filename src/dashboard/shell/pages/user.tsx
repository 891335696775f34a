import type { JSX } from 'react';
import { UserBudgets } from '../../../core/budgets/user-budgets.tsx';
import { EraseUser, ErasureReport } from '../../../features/erasure/erase-user.tsx';
import { RecentSessions } from '../../../features/sessions/recent-sessions.tsx';
import { UserPage } from '../../../features/users/user-page.tsx';

/** The page of an end user, with what other modules show on it. */
export const User = (): JSX.Element => (
  <UserPage {...{ RecentSessions, UserBudgets, EraseUser, ErasureReport }} />
);
