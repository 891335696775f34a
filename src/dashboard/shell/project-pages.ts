import { lazyRouteComponent } from '@tanstack/react-router';
import { page } from './page-route.tsx';

const evaluatorPages = () => import('../../core/evaluators/pages/evaluator-page.tsx');
/** The pages of a project: one line each. Their search parameters are in `scope/search.ts`. */
export const projectPages = [
  page(
    'overview',
    lazyRouteComponent(() => import('../../features/analytics/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  page(
    'ask',
    lazyRouteComponent(() => import('../../features/ai/pages/ask-page.tsx'), 'AskPage'),
  ),
  page(
    'anomalies',
    lazyRouteComponent(() => import('../../features/ai/pages/anomalies-page.tsx'), 'AnomaliesPage'),
  ),
  page(
    'recommendations',
    lazyRouteComponent(
      () => import('../../features/ai/pages/recommendations-page.tsx'),
      'RecommendationsPage',
    ),
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
    'simulations',
    lazyRouteComponent(
      () => import('../../features/simulations/pages/simulations-page.tsx'),
      'SimulationsPage',
    ),
  ),
  page(
    'simulations/$simulationId',
    lazyRouteComponent(() => import('../../features/simulations/pages/suite-page.tsx'), 'SuitePage'),
  ),
  page(
    'simulations/runs/$runId',
    lazyRouteComponent(() => import('../../features/simulations/pages/run-page.tsx'), 'RunPage'),
  ),
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
    'annotation-queues',
    lazyRouteComponent(
      () => import('../../core/annotation-queues/pages/queues-page.tsx'),
      'AnnotationQueuesPage',
    ),
  ),
  page(
    'annotation-queues/$queueId',
    lazyRouteComponent(
      () => import('../../core/annotation-queues/pages/queue-page.tsx'),
      'AnnotationQueuePage',
    ),
  ),
  page(
    'annotation-queues/$queueId/annotate',
    lazyRouteComponent(() => import('../../core/annotation-queues/pages/annotate-page.tsx'), 'AnnotatePage'),
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
    'statements',
    lazyRouteComponent(() => import('../../features/statements/pages/statements-page.tsx'), 'StatementsPage'),
  ),
  page(
    'statements/party',
    lazyRouteComponent(() => import('../../features/statements/pages/statement-page.tsx'), 'StatementPage'),
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
