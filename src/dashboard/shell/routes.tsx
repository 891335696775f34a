import { createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { type JSX, lazy, Suspense } from 'react';
import { Failure } from '../ui/states.tsx';
import { useApi } from './api.ts';
import { ClosedOrganizations, closedTo } from './closed-organizations.tsx';
import { Gate } from './gate.tsx';
import { lazyPage } from './lazy-page.ts';
import { meApi } from './member.ts';
import { PageFailed } from './page-failed.tsx';
import { project, root } from './page-route.tsx';
import { projectPages } from './project-pages.ts';
import { parseSearch, stringifySearch, textOf } from './scope/search.ts';

const FirstProject = lazy(async () => ({
  default: (await import('../../core/projects/first-project.tsx')).FirstProject,
}));

/** Home is the first project of whoever is signed in. */
function Home(): JSX.Element | null {
  const me = useApi(meApi, {});
  if (me.error?.status === 401) return <Navigate to="/sign-in" replace />;
  if (me.error !== null) return <Failure error={me.error} retry={() => void me.refetch()} />;
  if (me.data === undefined) return null;
  const [first] = me.data.memberships.flatMap(({ projects }) => projects);
  const closed = closedTo(me.data);
  if (first === undefined && closed.length > 0)
    return (
      <Gate title="One more step">
        <ClosedOrganizations names={closed} />
      </Gate>
    );
  if (first === undefined)
    return (
      <Suspense>
        <FirstProject memberships={me.data.memberships} />
      </Suspense>
    );
  return <Navigate to="/projects/$projectId/overview" params={{ projectId: first.id }} replace />;
}

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: textOf(['next']),
  component: lazyPage(() => import('../../core/auth/sign-in/sign-in-page.tsx'), 'SignInPage'),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyPage(() => import('../../core/auth/sign-up/set-up-page.tsx'), 'SetUpPage'),
});
const link = createRoute({
  getParentRoute: () => root,
  path: '/link',
  component: lazyPage(() => import('./link.tsx'), 'Link'),
});
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyPage(() => import('../../core/invitations/invite-page.tsx'), 'InvitePage'),
});

const security = createRoute({
  getParentRoute: () => root,
  path: '/account/security',
  component: lazyPage(() => import('../../core/auth/two-factor/security-page.tsx'), 'SecurityPage'),
});
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyPage(() => import('./pages/account.tsx'), 'Account'),
});
const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyPage(() => import('../../features/system/pages/system-page.tsx'), 'SystemPage'),
});
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: ToOverview,
});

function ToOverview(): JSX.Element {
  const { projectId } = project.useParams();
  return <Navigate to="/projects/$projectId/overview" params={{ projectId }} replace />;
}
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    setUp,
    link,
    invite,
    security,
    account,
    system,
    project.addChildren([projectHome, ...projectPages]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Re-pricing begins a dry run of what its address chooses; only a link within the dashboard can say so. */
    dryRun?: boolean;
  }
}
