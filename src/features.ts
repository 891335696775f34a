import { accessTokensModule } from './core/access-tokens/index.ts';
import { annotationQueuesModule } from './core/annotation-queues/index.ts';
import { auditModule } from './core/audit/index.ts';
import { authModule } from './core/auth/index.ts';
import { budgetsModule } from './core/budgets/index.ts';
import { commentsModule } from './core/comments/index.ts';
import { datasetsModule } from './core/datasets/index.ts';
import { deliveriesModule } from './core/deliveries/index.ts';
import { deploymentsModule } from './core/deployments/index.ts';
import { evaluatorsModule } from './core/evaluators/index.ts';
import { eventsModule } from './core/events/index.ts';
import { guardrailsModule } from './core/guardrails/index.ts';
import { invitationsModule } from './core/invitations/index.ts';
import { createJobsModule } from './core/jobs/index.ts';
import { keysModule } from './core/keys/index.ts';
import { mailModule } from './core/mail/index.ts';
import { modelsModule } from './core/models/index.ts';
import { onlineRulesModule } from './core/online-rules/index.ts';
import { orgsModule } from './core/orgs/index.ts';
import { outboundModule } from './core/outbound/index.ts';
import { createOutboxModule } from './core/outbox/index.ts';
import { pricingModule } from './core/pricing/index.ts';
import { projectsModule } from './core/projects/index.ts';
import { promptsModule } from './core/prompts/index.ts';
import { quarantineModule } from './core/quarantine/index.ts';
import { rootCauseModule } from './core/root-cause/index.ts';
import { scoresModule } from './core/scores/index.ts';
import { toolSchemasModule } from './core/tool-schemas/index.ts';
import { usageModule } from './core/usage/index.ts';
import { viewsModule } from './core/views/index.ts';
import type { OwnedTable } from './db/owned-table.ts';
import { agentsModule } from './features/agents/index.ts';
import { aiModule } from './features/ai/index.ts';
import { alertsModule } from './features/alerts/index.ts';
import { analyticsModule } from './features/analytics/index.ts';
import { auditLogModule } from './features/audit/index.ts';
import { costsModule } from './features/costs/index.ts';
import { damageModule } from './features/damage/index.ts';
import { dashboardModule } from './features/dashboard/index.ts';
import { dashboardsModule } from './features/dashboards/index.ts';
import { deletionModule } from './features/deletion/index.ts';
import { docsModule } from './features/docs/index.ts';
import { erasureModule } from './features/erasure/index.ts';
import { eventListModule } from './features/events/index.ts';
import { experimentsModule } from './features/experiments/index.ts';
import { expiryModule } from './features/expiry/index.ts';
import { healthModule } from './features/health/index.ts';
import { incidentsModule } from './features/incidents/index.ts';
import { ingestModule } from './features/ingest/index.ts';
import { metricsModule } from './features/metrics/index.ts';
import { createOpenApiModule } from './features/openapi/index.ts';
import { otelModule } from './features/otel/index.ts';
import { playgroundModule } from './features/playground/index.ts';
import { pricesModule } from './features/prices/index.ts';
import { reconcileModule } from './features/reconcile/index.ts';
import { repricingModule } from './features/repricing/index.ts';
import { retentionModule } from './features/retention/index.ts';
import { scheduledReportsModule } from './features/scheduled-reports/index.ts';
import { searchModule } from './features/search/index.ts';
import { sessionsModule } from './features/sessions/index.ts';
import { simulationsModule } from './features/simulations/index.ts';
import { statementsModule } from './features/statements/index.ts';
import { createSystemModule } from './features/system/index.ts';
import { tracesModule } from './features/traces/index.ts';
import { usageReportModule } from './features/usage/index.ts';
import { usersModule } from './features/users/index.ts';
import { whatIfModule } from './features/what-if/index.ts';
import type { Module } from './module.ts';

/** Every core and feature module of the product: one line each. */
export const modules: readonly Module[] = [
  auditModule,
  authModule,
  orgsModule,
  invitationsModule,
  projectsModule,
  keysModule,
  accessTokensModule,
  mailModule,
  pricingModule,
  eventsModule,
  commentsModule,
  scoresModule,
  annotationQueuesModule,
  evaluatorsModule,
  onlineRulesModule,
  deploymentsModule,
  promptsModule,
  guardrailsModule,
  datasetsModule,
  toolSchemasModule,
  usageModule,
  outboundModule,
  deliveriesModule,
  modelsModule,
  createJobsModule(() => modules),
  createOutboxModule(() => modules),
  healthModule,
  dashboardModule,
  createOpenApiModule(() => modules),
  docsModule,
  ingestModule,
  otelModule,
  quarantineModule,
  viewsModule,
  damageModule,
  eventListModule,
  tracesModule,
  sessionsModule,
  searchModule,
  usersModule,
  agentsModule,
  analyticsModule,
  dashboardsModule,
  metricsModule,
  playgroundModule,
  experimentsModule,
  simulationsModule,
  pricesModule,
  repricingModule,
  costsModule,
  budgetsModule,
  alertsModule,
  reconcileModule,
  scheduledReportsModule,
  whatIfModule,
  aiModule,
  rootCauseModule,
  incidentsModule,
  retentionModule,
  auditLogModule,
  usageReportModule,
  statementsModule,
  deletionModule,
  erasureModule,
  createSystemModule(() => modules),
  expiryModule,
];

/** Every table of the database, as its module declares it. */
export const tables: readonly OwnedTable[] = modules.flatMap((module) => module.tables ?? []);
