import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { type JSX, lazy, Suspense } from 'react';
import type { Me } from '../../core/auth/contract.ts';
import { Failure, Notice } from '../ui/states.tsx';
import { useApi } from './api.ts';
import { Shell } from './frame/shell.tsx';
import { projectPath } from './project-link.tsx';
import { parseSearch, stringifySearch, validateSearch } from './scope/search.ts';

const root = createRootRoute({
  validateSearch,
  component: Outlet,
  notFoundComponent: () => <Notice icon="search" title="There is no such page" />,
});

const FirstProject = lazy(async () => ({
  default: (await import('../../core/projects/first-project.tsx')).FirstProject,
}));

/** Home is the first project of whoever is signed in. */
function Home(): JSX.Element | null {
  const me = useApi<Me>('/v1/auth/me');
  if (me.error?.status === 401) return <Navigate to="/sign-in" replace />;
  if (me.error !== null) return <Failure error={me.error} retry={() => void me.refetch()} />;
  if (me.data === undefined) return null;
  const [first] = me.data.memberships.flatMap(({ projects }) => projects);
  if (first === undefined)
    return (
      <Suspense>
        <FirstProject memberships={me.data.memberships} />
      </Suspense>
    );
  return <Navigate to={projectPath(first.id, 'overview')} replace />;
}

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../../core/auth/sign-in/sign-in-page.tsx'), 'SignInPage'),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../../core/auth/sign-up/set-up-page.tsx'), 'SetUpPage'),
});

const link = createRoute({
  getParentRoute: () => root,
  path: '/link',
  component: lazyRouteComponent(() => import('./link.tsx'), 'Link'),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyRouteComponent(() => import('../../core/invitations/invite-page.tsx'), 'InvitePage'),
});

const project = createRoute({ getParentRoute: () => root, path: '/projects/$projectId', component: Shell });

/** The pages of a project: one line each. */
const pages = {
  overview: lazyRouteComponent(
    () => import('../../features/analytics/overview/overview-page.tsx'),
    'OverviewPage',
  ),
  costs: lazyRouteComponent(() => import('../../features/analytics/costs/costs-page.tsx'), 'CostsPage'),
  budgets: lazyRouteComponent(() => import('../../features/budgets/budgets-page.tsx'), 'BudgetsPage'),
  performance: lazyRouteComponent(
    () => import('../../features/analytics/performance/performance-page.tsx'),
    'PerformancePage',
  ),
  errors: lazyRouteComponent(() => import('../../features/analytics/errors/errors-page.tsx'), 'ErrorsPage'),
  events: lazyRouteComponent(() => import('../../features/events/events-page.tsx'), 'EventsPage'),
  traces: lazyRouteComponent(() => import('../../features/traces/traces-page.tsx'), 'TracesPage'),
  'traces/$traceId': lazyRouteComponent(() => import('../../features/traces/trace-page.tsx'), 'TracePage'),
  start: lazyRouteComponent(() => import('../../features/ingest/start-page.tsx'), 'StartPage'),
  inspector: lazyRouteComponent(
    () => import('../../features/otel/inspect/inspector-page.tsx'),
    'InspectorPage',
  ),
  quarantine: lazyRouteComponent(() => import('../../core/quarantine/quarantine-page.tsx'), 'QuarantinePage'),
  project: lazyRouteComponent(() => import('../../core/projects/project-page.tsx'), 'ProjectPage'),
  keys: lazyRouteComponent(() => import('../../core/keys/keys-page.tsx'), 'KeysPage'),
  members: lazyRouteComponent(() => import('../../core/invitations/members-page.tsx'), 'MembersPage'),
  audit: lazyRouteComponent(() => import('../../features/audit/audit-page.tsx'), 'AuditPage'),
  sessions: lazyRouteComponent(() => import('../../features/sessions/sessions-page.tsx'), 'SessionsPage'),
  'sessions/$sessionId': lazyRouteComponent(
    () => import('../../features/sessions/session-page.tsx'),
    'SessionPage',
  ),
  users: lazyRouteComponent(() => import('../../features/users/users-page.tsx'), 'UsersPage'),
  'users/$userId': lazyRouteComponent(() => import('./pages/user.tsx'), 'User'),
  usage: lazyRouteComponent(() => import('../../features/usage/usage-page.tsx'), 'UsagePage'),
  prices: lazyRouteComponent(() => import('../../features/prices/prices-page.tsx'), 'PricesPage'),
  'costs/repricing': lazyRouteComponent(
    () => import('../../features/repricing/repricing-page.tsx'),
    'RepricingPage',
  ),
  'costs/statement': lazyRouteComponent(
    () => import('../../features/costs/statement-page.tsx'),
    'StatementPage',
  ),
  'costs/reconcile': lazyRouteComponent(
    () => import('../../features/reconcile/reconcile-page.tsx'),
    'ReconcilePage',
  ),
  'costs/what-if': lazyRouteComponent(() => import('./pages/what-if.tsx'), 'WhatIf'),
};

// A page of another project or trace is another page: nothing that was typed or shown on the one is kept on the other.
const projectRoutes = Object.entries(pages).map(([path, component]) =>
  createRoute({ getParentRoute: () => project, path, component, remountDeps: ({ params }) => params }),
);
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: () => <Navigate to={projectPath(project.useParams().projectId, 'overview')} replace />,
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    setUp,
    link,
    invite,
    project.addChildren([projectHome, ...projectRoutes]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
