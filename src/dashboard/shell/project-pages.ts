import { lazyPage } from './lazy-page.ts';
import { page } from './page-route.tsx';

const evaluatorPages = () => import('../../core/evaluators/pages/evaluator-page.tsx');
/** The pages of a project: one line each. Their search parameters are in `scope/search.ts`. */
export const projectPages = [
  page(
    'overview',
    lazyPage(() => import('../../features/analytics/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  page(
    'ask',
    lazyPage(() => import('../../features/ai/pages/ask-page.tsx'), 'AskPage'),
  ),
  page(
    'anomalies',
    lazyPage(() => import('../../features/ai/pages/anomalies-page.tsx'), 'AnomaliesPage'),
  ),
  page(
    'recommendations',
    lazyPage(() => import('../../features/ai/pages/recommendations-page.tsx'), 'RecommendationsPage'),
  ),
  page(
    'costs',
    lazyPage(() => import('../../features/analytics/costs/costs-page.tsx'), 'CostsPage'),
  ),
  page(
    'alerts',
    lazyPage(() => import('../../features/alerts/pages/alerts-page.tsx'), 'AlertsPage'),
  ),
  page(
    'alerts/new',
    lazyPage(() => import('../../features/alerts/pages/new-alert-page.tsx'), 'NewAlertPage'),
  ),
  page(
    'alerts/$alertId',
    lazyPage(() => import('../../features/alerts/pages/alert-page.tsx'), 'AlertPage'),
  ),
  page(
    'dashboards',
    lazyPage(() => import('../../features/dashboards/dashboards-page.tsx'), 'DashboardsPage'),
  ),
  page(
    'dashboards/$dashboardId',
    lazyPage(() => import('../../features/dashboards/dashboard-page.tsx'), 'DashboardPage'),
  ),
  page(
    'budgets',
    lazyPage(() => import('../../core/budgets/budgets-page.tsx'), 'BudgetsPage'),
  ),
  page(
    'performance',
    lazyPage(() => import('../../features/analytics/performance/performance-page.tsx'), 'PerformancePage'),
  ),
  page(
    'errors',
    lazyPage(() => import('../../features/analytics/errors/errors-page.tsx'), 'ErrorsPage'),
  ),
  page(
    'root-cause',
    lazyPage(() => import('../../core/root-cause/root-cause-page.tsx'), 'RootCausePage'),
  ),
  page(
    'incidents',
    lazyPage(() => import('../../features/incidents/incidents-page.tsx'), 'IncidentsPage'),
  ),
  page(
    'incidents/$incidentId',
    lazyPage(() => import('../../features/incidents/incident-page.tsx'), 'IncidentPage'),
  ),
  page(
    'deployments',
    lazyPage(() => import('../../core/deployments/deployments-page.tsx'), 'DeploymentsPage'),
  ),
  page(
    'events',
    lazyPage(() => import('../../features/events/events-page.tsx'), 'EventsPage'),
  ),
  page(
    'traces',
    lazyPage(() => import('../../features/traces/traces-page.tsx'), 'TracesPage'),
  ),
  page(
    'traces/$traceId',
    lazyPage(() => import('../../features/traces/trace-page.tsx'), 'TracePage'),
  ),
  page(
    'agents',
    lazyPage(() => import('../../features/agents/pages/agents-page.tsx'), 'AgentsPage'),
  ),
  page(
    'agents/graph',
    lazyPage(() => import('../../features/agents/pages/graph-page.tsx'), 'GraphPage'),
  ),
  page(
    'agents/$agentName',
    lazyPage(() => import('./pages/agent.tsx'), 'Agent'),
  ),
  page(
    'tools',
    lazyPage(() => import('../../features/agents/pages/tools-page.tsx'), 'ToolsPage'),
  ),
  page(
    'tools/$toolName',
    lazyPage(() => import('../../features/agents/pages/tool-page.tsx'), 'ToolPage'),
  ),
  page(
    'bookmarks',
    lazyPage(() => import('../../core/comments/bookmarks-page.tsx'), 'BookmarksPage'),
  ),
  page(
    'playground',
    lazyPage(() => import('../../features/playground/playground-page.tsx'), 'PlaygroundPage'),
  ),
  page(
    'prompts',
    lazyPage(() => import('../../core/prompts/pages/prompts-page.tsx'), 'PromptsPage'),
  ),
  page(
    'prompts/$promptName',
    lazyPage(() => import('../../core/prompts/pages/prompt-page.tsx'), 'PromptPage'),
  ),
  page(
    'guardrails',
    lazyPage(() => import('../../core/guardrails/pages/guardrails-page.tsx'), 'GuardrailsPage'),
  ),
  page(
    'datasets',
    lazyPage(() => import('../../core/datasets/pages/datasets-page.tsx'), 'DatasetsPage'),
  ),
  page(
    'datasets/$datasetId',
    lazyPage(() => import('../../core/datasets/pages/dataset-page.tsx'), 'DatasetPage'),
  ),
  page(
    'evaluators',
    lazyPage(() => import('../../core/evaluators/pages/evaluators-page.tsx'), 'EvaluatorsPage'),
  ),
  page('evaluators/new', lazyPage(evaluatorPages, 'NewEvaluatorPage')),
  page(
    'evaluators/rules',
    lazyPage(() => import('../../core/online-rules/pages/rules-page.tsx'), 'OnlineRulesPage'),
  ),
  page(
    'evaluators/scores',
    lazyPage(() => import('../../core/scores/pages/definitions-page.tsx'), 'ScoreDefinitionsPage'),
  ),
  page('evaluators/$evaluatorId', lazyPage(evaluatorPages, 'EvaluatorPage')),
  page(
    'simulations',
    lazyPage(() => import('../../features/simulations/pages/simulations-page.tsx'), 'SimulationsPage'),
  ),
  page(
    'simulations/$simulationId',
    lazyPage(() => import('../../features/simulations/pages/suite-page.tsx'), 'SuitePage'),
  ),
  page(
    'simulations/runs/$runId',
    lazyPage(() => import('../../features/simulations/pages/run-page.tsx'), 'RunPage'),
  ),
  page(
    'experiments',
    lazyPage(() => import('../../features/experiments/pages/experiments-page.tsx'), 'ExperimentsPage'),
  ),
  page(
    'experiments/$experimentId',
    lazyPage(() => import('../../features/experiments/pages/experiment-page.tsx'), 'ExperimentPage'),
  ),
  page(
    'annotation-queues',
    lazyPage(() => import('../../core/annotation-queues/pages/queues-page.tsx'), 'AnnotationQueuesPage'),
  ),
  page(
    'annotation-queues/$queueId',
    lazyPage(() => import('../../core/annotation-queues/pages/queue-page.tsx'), 'AnnotationQueuePage'),
  ),
  page(
    'annotation-queues/$queueId/annotate',
    lazyPage(() => import('../../core/annotation-queues/pages/annotate-page.tsx'), 'AnnotatePage'),
  ),
  page(
    'start',
    lazyPage(() => import('../../features/ingest/start-page.tsx'), 'StartPage'),
  ),
  page(
    'inspector',
    lazyPage(() => import('../../features/otel/inspect/inspector-page.tsx'), 'InspectorPage'),
  ),
  page(
    'quarantine',
    lazyPage(() => import('../../core/quarantine/quarantine-page.tsx'), 'QuarantinePage'),
  ),
  page(
    'project',
    lazyPage(() => import('../../core/projects/project-page.tsx'), 'ProjectPage'),
  ),
  page(
    'keys',
    lazyPage(() => import('../../core/keys/keys-page.tsx'), 'KeysPage'),
  ),
  page(
    'access-tokens',
    lazyPage(() => import('../../core/access-tokens/access-tokens-page.tsx'), 'AccessTokensPage'),
  ),
  page(
    'channels',
    lazyPage(() => import('../../core/deliveries/channels/channels-page.tsx'), 'ChannelsPage'),
  ),
  page(
    'scheduled-reports',
    lazyPage(() => import('../../features/scheduled-reports/pages/reports-page.tsx'), 'ReportsPage'),
  ),
  page(
    'deliveries',
    lazyPage(() => import('../../core/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  page(
    'organization',
    lazyPage(() => import('../../features/deletion/organization-page.tsx'), 'OrganizationPage'),
  ),
  page(
    'members',
    lazyPage(() => import('../../core/invitations/members-page.tsx'), 'MembersPage'),
  ),
  page(
    'audit',
    lazyPage(() => import('../../features/audit/audit-page.tsx'), 'AuditPage'),
  ),
  page(
    'sessions',
    lazyPage(() => import('../../features/sessions/sessions-page.tsx'), 'SessionsPage'),
  ),
  page(
    'sessions/$sessionId',
    lazyPage(() => import('../../features/sessions/session-page.tsx'), 'SessionPage'),
  ),
  page(
    'users',
    lazyPage(() => import('../../features/users/users-page.tsx'), 'UsersPage'),
  ),
  page(
    'users/$userId',
    lazyPage(() => import('./pages/user.tsx'), 'User'),
  ),
  page(
    'statements',
    lazyPage(() => import('../../features/statements/pages/statements-page.tsx'), 'StatementsPage'),
  ),
  page(
    'statements/party',
    lazyPage(() => import('../../features/statements/pages/statement-page.tsx'), 'StatementPage'),
  ),
  page(
    'usage',
    lazyPage(() => import('../../features/usage/usage-page.tsx'), 'UsagePage'),
  ),
  page(
    'prices',
    lazyPage(() => import('../../features/prices/prices-page.tsx'), 'PricesPage'),
  ),
  page(
    'prices/catalogue',
    lazyPage(() => import('../../features/prices/catalogue/catalogue-page.tsx'), 'CataloguePage'),
  ),
  page(
    'costs/repricing',
    lazyPage(() => import('../../features/repricing/repricing-page.tsx'), 'RepricingPage'),
  ),
  page(
    'costs/statement',
    lazyPage(() => import('../../features/costs/statement-page.tsx'), 'StatementPage'),
  ),
  page(
    'costs/drift',
    lazyPage(() => import('../../features/reconcile/connectors/drift-page.tsx'), 'DriftPage'),
  ),
  page(
    'costs/reconcile',
    lazyPage(() => import('../../features/reconcile/reconcile-page.tsx'), 'ReconcilePage'),
  ),
  page(
    'costs/what-if',
    lazyPage(() => import('./pages/what-if.tsx'), 'WhatIf'),
  ),
] as const;
