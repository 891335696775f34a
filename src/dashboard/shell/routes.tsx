import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { type JSX, lazy, Suspense } from 'react';
import { Failure } from '../ui/states.tsx';
import { useApi } from './api.ts';
import { ClosedOrganizations, closedTo } from './closed-organizations.tsx';
import { Shell } from './frame/shell.tsx';
import { Gate } from './gate.tsx';
import { meApi } from './member.ts';
import { PAGES, type PageName, parseSearch, stringifySearch, textOf, WINDOW } from './scope/search.ts';
import { ZoneProvider } from './scope/zone-provider.tsx';

const root = createRootRoute({
  component: () => (
    <ZoneProvider>
      <Outlet />
    </ZoneProvider>
  ),
  notFoundComponent: () => (
    <Gate title="This page does not exist">
      <Link to="/">Go to the overview</Link>
    </Gate>
  ),
});

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

const security = createRoute({
  getParentRoute: () => root,
  path: '/account/security',
  component: lazyRouteComponent(() => import('../../core/auth/two-factor/security-page.tsx'), 'SecurityPage'),
});
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'Account'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  validateSearch: textOf(WINDOW),
  component: Shell,
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

type PageComponent = ReturnType<typeof lazyRouteComponent>;

/** A page of a project. That of another project or trace is another page: nothing that was typed or shown is kept. */
const page = <const P extends PageName>(path: P, component: PageComponent) =>
  createRoute({
    getParentRoute: () => project,
    path,
    validateSearch: textOf<(typeof PAGES)[P][number]>(PAGES[path]),
    component,
    remountDeps: ({ params }) => params,
  });

const evaluatorPages = () => import('../../core/evaluators/pages/evaluator-page.tsx');

/** The pages of a project: one line each. Their search parameters are in `scope/search.ts`. */
const pages = [
  page(
    'overview',
    lazyRouteComponent(() => import('../../features/analytics/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  page(
    'costs',
    lazyRouteComponent(() => import('../../features/analytics/costs/costs-page.tsx'), 'CostsPage'),
  ),
  page(
    'alerts',
    lazyRouteComponent(() => import('../../features/alerts/pages/alerts-page.tsx'), 'AlertsPage'),
  ),
  page(
    'alerts/new',
    lazyRouteComponent(() => import('../../features/alerts/pages/new-alert-page.tsx'), 'NewAlertPage'),
  ),
  page(
    'alerts/$alertId',
    lazyRouteComponent(() => import('../../features/alerts/pages/alert-page.tsx'), 'AlertPage'),
  ),
  page(
    'dashboards',
    lazyRouteComponent(() => import('../../features/dashboards/dashboards-page.tsx'), 'DashboardsPage'),
  ),
  page(
    'dashboards/$dashboardId',
    lazyRouteComponent(() => import('../../features/dashboards/dashboard-page.tsx'), 'DashboardPage'),
  ),
  page(
    'budgets',
    lazyRouteComponent(() => import('../../core/budgets/budgets-page.tsx'), 'BudgetsPage'),
  ),
  page(
    'performance',
    lazyRouteComponent(
      () => import('../../features/analytics/performance/performance-page.tsx'),
      'PerformancePage',
    ),
  ),
  page(
    'errors',
    lazyRouteComponent(() => import('../../features/analytics/errors/errors-page.tsx'), 'ErrorsPage'),
  ),
  page(
    'root-cause',
    lazyRouteComponent(() => import('../../core/root-cause/root-cause-page.tsx'), 'RootCausePage'),
  ),
  page(
    'incidents',
    lazyRouteComponent(() => import('../../features/incidents/incidents-page.tsx'), 'IncidentsPage'),
  ),
  page(
    'incidents/$incidentId',
    lazyRouteComponent(() => import('../../features/incidents/incident-page.tsx'), 'IncidentPage'),
  ),
  page(
    'deployments',
    lazyRouteComponent(() => import('../../core/deployments/deployments-page.tsx'), 'DeploymentsPage'),
  ),
  page(
    'events',
    lazyRouteComponent(() => import('../../features/events/events-page.tsx'), 'EventsPage'),
  ),
  page(
    'traces',
    lazyRouteComponent(() => import('../../features/traces/traces-page.tsx'), 'TracesPage'),
  ),
  page(
    'traces/$traceId',
    lazyRouteComponent(() => import('../../features/traces/trace-page.tsx'), 'TracePage'),
  ),
  page(
    'agents',
    lazyRouteComponent(() => import('../../features/agents/pages/agents-page.tsx'), 'AgentsPage'),
  ),
  page(
    'agents/graph',
    lazyRouteComponent(() => import('../../features/agents/pages/graph-page.tsx'), 'GraphPage'),
  ),
  page(
    'agents/$agentName',
    lazyRouteComponent(() => import('./pages/agent.tsx'), 'Agent'),
  ),
  page(
    'tools',
    lazyRouteComponent(() => import('../../features/agents/pages/tools-page.tsx'), 'ToolsPage'),
  ),
  page(
    'tools/$toolName',
    lazyRouteComponent(() => import('../../features/agents/pages/tool-page.tsx'), 'ToolPage'),
  ),
  page(
    'bookmarks',
    lazyRouteComponent(() => import('../../core/comments/bookmarks-page.tsx'), 'BookmarksPage'),
  ),
  page(
    'playground',
    lazyRouteComponent(() => import('../../features/playground/playground-page.tsx'), 'PlaygroundPage'),
  ),
  page(
    'prompts',
    lazyRouteComponent(() => import('../../core/prompts/pages/prompts-page.tsx'), 'PromptsPage'),
  ),
  page(
    'prompts/$promptName',
    lazyRouteComponent(() => import('../../core/prompts/pages/prompt-page.tsx'), 'PromptPage'),
  ),
  page(
    'guardrails',
    lazyRouteComponent(() => import('../../core/guardrails/pages/guardrails-page.tsx'), 'GuardrailsPage'),
  ),
  page(
    'datasets',
    lazyRouteComponent(() => import('../../core/datasets/pages/datasets-page.tsx'), 'DatasetsPage'),
  ),
  page(
    'datasets/$datasetId',
    lazyRouteComponent(() => import('../../core/datasets/pages/dataset-page.tsx'), 'DatasetPage'),
  ),
  page(
    'evaluators',
    lazyRouteComponent(() => import('../../core/evaluators/pages/evaluators-page.tsx'), 'EvaluatorsPage'),
  ),
  page('evaluators/new', lazyRouteComponent(evaluatorPages, 'NewEvaluatorPage')),
  page(
    'evaluators/rules',
    lazyRouteComponent(() => import('../../core/online-rules/pages/rules-page.tsx'), 'OnlineRulesPage'),
  ),
  page(
    'evaluators/scores',
    lazyRouteComponent(() => import('../../core/scores/pages/definitions-page.tsx'), 'ScoreDefinitionsPage'),
  ),
  page('evaluators/$evaluatorId', lazyRouteComponent(evaluatorPages, 'EvaluatorPage')),
  page(
    'experiments',
    lazyRouteComponent(
      () => import('../../features/experiments/pages/experiments-page.tsx'),
      'ExperimentsPage',
    ),
  ),
  page(
    'experiments/$experimentId',
    lazyRouteComponent(
      () => import('../../features/experiments/pages/experiment-page.tsx'),
      'ExperimentPage',
    ),
  ),
  page(
    'start',
    lazyRouteComponent(() => import('../../features/ingest/start-page.tsx'), 'StartPage'),
  ),
  page(
    'inspector',
    lazyRouteComponent(() => import('../../features/otel/inspect/inspector-page.tsx'), 'InspectorPage'),
  ),
  page(
    'quarantine',
    lazyRouteComponent(() => import('../../core/quarantine/quarantine-page.tsx'), 'QuarantinePage'),
  ),
  page(
    'project',
    lazyRouteComponent(() => import('../../core/projects/project-page.tsx'), 'ProjectPage'),
  ),
  page(
    'keys',
    lazyRouteComponent(() => import('../../core/keys/keys-page.tsx'), 'KeysPage'),
  ),
  page(
    'access-tokens',
    lazyRouteComponent(() => import('../../core/access-tokens/access-tokens-page.tsx'), 'AccessTokensPage'),
  ),
  page(
    'channels',
    lazyRouteComponent(() => import('../../core/deliveries/channels/channels-page.tsx'), 'ChannelsPage'),
  ),
  page(
    'scheduled-reports',
    lazyRouteComponent(
      () => import('../../features/scheduled-reports/pages/reports-page.tsx'),
      'ReportsPage',
    ),
  ),
  page(
    'deliveries',
    lazyRouteComponent(() => import('../../core/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  page(
    'organization',
    lazyRouteComponent(() => import('../../features/deletion/organization-page.tsx'), 'OrganizationPage'),
  ),
  page(
    'members',
    lazyRouteComponent(() => import('../../core/invitations/members-page.tsx'), 'MembersPage'),
  ),
  page(
    'audit',
    lazyRouteComponent(() => import('../../features/audit/audit-page.tsx'), 'AuditPage'),
  ),
  page(
    'sessions',
    lazyRouteComponent(() => import('../../features/sessions/sessions-page.tsx'), 'SessionsPage'),
  ),
  page(
    'sessions/$sessionId',
    lazyRouteComponent(() => import('../../features/sessions/session-page.tsx'), 'SessionPage'),
  ),
  page(
    'users',
    lazyRouteComponent(() => import('../../features/users/users-page.tsx'), 'UsersPage'),
  ),
  page(
    'users/$userId',
    lazyRouteComponent(() => import('./pages/user.tsx'), 'User'),
  ),
  page(
    'usage',
    lazyRouteComponent(() => import('../../features/usage/usage-page.tsx'), 'UsagePage'),
  ),
  page(
    'prices',
    lazyRouteComponent(() => import('../../features/prices/prices-page.tsx'), 'PricesPage'),
  ),
  page(
    'prices/catalogue',
    lazyRouteComponent(() => import('../../features/prices/catalogue/catalogue-page.tsx'), 'CataloguePage'),
  ),
  page(
    'costs/repricing',
    lazyRouteComponent(() => import('../../features/repricing/repricing-page.tsx'), 'RepricingPage'),
  ),
  page(
    'costs/statement',
    lazyRouteComponent(() => import('../../features/costs/statement-page.tsx'), 'StatementPage'),
  ),
  page(
    'costs/drift',
    lazyRouteComponent(() => import('../../features/reconcile/connectors/drift-page.tsx'), 'DriftPage'),
  ),
  page(
    'costs/reconcile',
    lazyRouteComponent(() => import('../../features/reconcile/reconcile-page.tsx'), 'ReconcilePage'),
  ),
  page(
    'costs/what-if',
    lazyRouteComponent(() => import('./pages/what-if.tsx'), 'WhatIf'),
  ),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    setUp,
    link,
    invite,
    security,
    account,
    project.addChildren([projectHome, ...pages]),
  ]),
  parseSearch,
  stringifySearch,
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
