import { accessTokensCreate } from './access-tokens/create.ts';
import { accessTokensList } from './access-tokens/list.ts';
import { accessTokensRevoke } from './access-tokens/revoke.ts';
import { agentsGraph } from './agents/graph.ts';
import { agentsList } from './agents/list.ts';
import { agentsShow } from './agents/show.ts';
import { aiCommands } from './ai/commands.ts';
import { alertsCreate } from './alerts/create.ts';
import { alertsDelete } from './alerts/delete.ts';
import { alertsDisable, alertsEnable } from './alerts/enable.ts';
import { alertsHistory } from './alerts/history.ts';
import { alertsList } from './alerts/list.ts';
import { alertsPreview, alertsTest } from './alerts/preview.ts';
import { alertsShow } from './alerts/show.ts';
import { alertsUpdate } from './alerts/update.ts';
import { annotationQueuesList } from './annotation-queues/list.ts';
import { auditExport } from './audit/export.ts';
import { auditList } from './audit/list.ts';
import { auditVerify } from './audit/verify.ts';
import { authCheckIssuer } from './auth/check-issuer.ts';
import { backup } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import { verify } from './backup/verify.ts';
import { benchIngest } from './bench/ingest.ts';
import { benchPurge } from './bench/purge.ts';
import { benchQuery } from './bench/query.ts';
import { benchRaw } from './bench/raw.ts';
import { benchStart } from './bench/start.ts';
import { open } from './browser/open.ts';
import { budgetsList } from './budgets/list.ts';
import { budgetsRemove } from './budgets/remove.ts';
import { budgetsSet } from './budgets/set.ts';
import { channelsCreate } from './channels/create.ts';
import { channelsDelete } from './channels/delete.ts';
import { channelsList } from './channels/list.ts';
import { channelsRotateSecret } from './channels/rotate-secret.ts';
import { channelsShow } from './channels/show.ts';
import { channelsTest } from './channels/test.ts';
import { channelsUpdate } from './channels/update.ts';
import type { Command } from './command.ts';
import { completionsBash, completionsFish, completionsWords, completionsZsh } from './completions/print.ts';
import { configShow } from './config/show.ts';
import { connectorsDrift } from './connectors/drift.ts';
import { connectorsList } from './connectors/list.ts';
import { connectorsThreshold } from './connectors/threshold.ts';
import { costExplain } from './cost/explain.ts';
import { dashboardsExport } from './dashboards/export.ts';
import { dashboardsImport } from './dashboards/import.ts';
import { dashboardsList } from './dashboards/list.ts';
import { datasetsAdd } from './datasets/add.ts';
import { datasetsExport } from './datasets/export.ts';
import { datasetsImport } from './datasets/import.ts';
import { datasetsList } from './datasets/list.ts';
import { deliveriesList } from './deliveries/list.ts';
import { deliveriesRetry } from './deliveries/retry.ts';
import { deploymentsCreate } from './deployments/create.ts';
import { deploymentsDelete } from './deployments/delete.ts';
import { deploymentsList } from './deployments/list.ts';
import { doctor } from './doctor/doctor.ts';
import { domainsList } from './domains/list.ts';
import { domainsRemove } from './domains/remove.ts';
import { domainsSet } from './domains/set.ts';
import { evaluatorsList } from './evaluators/list.ts';
import { evaluatorsMeasure } from './evaluators/measure.ts';
import { eventsCheck } from './events/check.ts';
import { eventsDropDamaged } from './events/drop-damaged.ts';
import { eventsExport } from './events/export.ts';
import { eventsGet } from './events/get.ts';
import { eventsList } from './events/list.ts';
import { eventsTail } from './events/tail.ts';
import { experimentsList } from './experiments/list.ts';
import { experimentsRun } from './experiments/run.ts';
import { focusExport } from './focus/export.ts';
import { guardrailsCheck } from './guardrails/check.ts';
import { guardrailsCreate } from './guardrails/create.ts';
import { guardrailsList } from './guardrails/list.ts';
import { guardrailsMeasure } from './guardrails/measure.ts';
import { guardrailsShow } from './guardrails/show.ts';
import { incidentsCreate } from './incidents/create.ts';
import { incidentsList } from './incidents/list.ts';
import { incidentsShow } from './incidents/show.ts';
import {
  incidentsAck,
  incidentsAssign,
  incidentsComment,
  incidentsMerge,
  incidentsReopen,
  incidentsResolve,
} from './incidents/steps.ts';
import { init } from './init.ts';
import { jobsList } from './jobs/list.ts';
import { jobsRun } from './jobs/run.ts';
import { keysCreate } from './keys/create.ts';
import { keysList } from './keys/list.ts';
import { keysRevoke } from './keys/revoke.ts';
import { keysRotate } from './keys/rotate.ts';
import { move } from './migrate/move.ts';
import { migrateStatus } from './migrate/status.ts';
import { migrateUp } from './migrate/up.ts';
import { upgrade } from './migrate/upgrade.ts';
import { modelsList } from './models/list.ts';
import { modelsTest } from './models/test.ts';
import { onlineRulesBackfill } from './online-rules/backfill.ts';
import { onlineRulesCreate } from './online-rules/create.ts';
import { onlineRulesDelete } from './online-rules/delete.ts';
import { onlineRulesDisable, onlineRulesEnable } from './online-rules/enable.ts';
import { onlineRulesList } from './online-rules/list.ts';
import { orgsCreate } from './orgs/create.ts';
import { orgsList } from './orgs/list.ts';
import { orgsRequireSecondFactor } from './orgs/require-second-factor.ts';
import { orgsSetPlan } from './orgs/set-plan.ts';
import { orgsUsage } from './orgs/usage.ts';
import { otelInspect } from './otel/inspect.ts';
import { pricesExport } from './prices/export.ts';
import { pricesImport } from './prices/import.ts';
import { pricesList } from './prices/list.ts';
import { pricesPackCreate } from './prices/pack/create.ts';
import { pricesPackKeygen } from './prices/pack/keygen.ts';
import { pricesPackList } from './prices/pack/list.ts';
import { pricesPackSign } from './prices/pack/sign.ts';
import { pricesRemove } from './prices/remove.ts';
import { pricesSearch } from './prices/search.ts';
import { pricesSet } from './prices/set.ts';
import { pricesShow } from './prices/show.ts';
import { pricesUpdate } from './prices/update.ts';
import { profilesList } from './profiles/list.ts';
import { login } from './profiles/login.ts';
import { logout } from './profiles/logout.ts';
import { projectsCreate } from './projects/create.ts';
import { projectsDelete } from './projects/delete.ts';
import { projectsEraseUser } from './projects/erase-user.ts';
import { projectsList } from './projects/list.ts';
import { promptsDelete } from './prompts/delete.ts';
import { promptsDiff } from './prompts/diff.ts';
import { promptsGet } from './prompts/get.ts';
import { promptsLabel } from './prompts/label.ts';
import { promptsList } from './prompts/list.ts';
import { promptsPull } from './prompts/pull.ts';
import { promptsPush } from './prompts/push.ts';
import { promptsRun } from './prompts/run.ts';
import { promptsShow } from './prompts/show.ts';
import { query } from './query/query.ts';
import { reconcile } from './reconcile.ts';
import { reconciliationsList } from './reconciliations/list.ts';
import { reconciliationsNote } from './reconciliations/note.ts';
import { reconciliationsRemove } from './reconciliations/remove.ts';
import { reconciliationsShow } from './reconciliations/show.ts';
import { reportCosts } from './report/costs.ts';
import { reportErrors } from './report/errors.ts';
import { reportIncidents } from './report/incidents.ts';
import { reportLedger } from './report/ledger.ts';
import { reportOverview } from './report/overview.ts';
import { reportPerformance } from './report/performance.ts';
import { reportSessions } from './report/sessions.ts';
import { reportUsage } from './report/usage.ts';
import { reportUser } from './report/user.ts';
import { reportUsers } from './report/users.ts';
import { reportWhatIf } from './report/what-if.ts';
import { repriceApply } from './reprice/apply.ts';
import { repriceList } from './reprice/list.ts';
import { repricePlan } from './reprice/plan.ts';
import { repriceShow } from './reprice/show.ts';
import { repriceUndo } from './reprice/undo.ts';
import {
  scheduledReportsDelete,
  scheduledReportsPause,
  scheduledReportsResume,
  scheduledReportsSend,
} from './scheduled-reports/change.ts';
import { scheduledReportsCreate } from './scheduled-reports/create.ts';
import { scheduledReportsList } from './scheduled-reports/list.ts';
import { scheduledReportsShow } from './scheduled-reports/show.ts';
import { scoresList } from './scores/list.ts';
import { serve } from './serve.ts';
import { sessionsList } from './sessions/list.ts';
import { sessionsShow } from './sessions/show.ts';
import { silencesCreate } from './silences/create.ts';
import { silencesDelete } from './silences/delete.ts';
import { silencesList } from './silences/list.ts';
import { simulationCommands } from './simulations/commands.ts';
import { sql } from './sql/sql.ts';
import { statementsClose } from './statements/close.ts';
import { statementsCreate } from './statements/create.ts';
import { statementsList } from './statements/list.ts';
import { toolsList } from './tools/list.ts';
import { toolsShow } from './tools/show.ts';
import { tracesList } from './traces/list.ts';
import { tracesShow } from './traces/show.ts';
import { usersCreate } from './users/create.ts';
import { usersInviteLink } from './users/invite-link.ts';
import { usersList } from './users/list.ts';
import { usersRemove } from './users/remove.ts';
import { usersResetFactors } from './users/reset-factors.ts';
import { usersResetLink } from './users/reset-link.ts';
import { usersSetRole } from './users/set-role.ts';
import { usersShow } from './users/show.ts';

/** Every command, in the order of the help page. To add one: write its file, import it and list it here. */
export const commands: readonly Command[] = [
  serve,
  init,
  open,
  login,
  logout,
  profilesList,
  reportOverview,
  reportCosts,
  reportPerformance,
  reportErrors,
  reportIncidents,
  reportUsage,
  reportUsers,
  reportUser,
  reportSessions,
  reportLedger,
  reportWhatIf,
  sql,
  eventsList,
  eventsGet,
  eventsTail,
  eventsExport,
  eventsCheck,
  eventsDropDamaged,
  tracesList,
  tracesShow,
  sessionsList,
  sessionsShow,
  costExplain,
  focusExport,
  query,
  ...aiCommands,
  reconcile,
  reconciliationsList,
  reconciliationsShow,
  reconciliationsNote,
  reconciliationsRemove,
  connectorsList,
  connectorsDrift,
  connectorsThreshold,
  budgetsList,
  budgetsSet,
  budgetsRemove,
  statementsCreate,
  statementsList,
  statementsClose,
  scheduledReportsList,
  scheduledReportsShow,
  scheduledReportsCreate,
  scheduledReportsSend,
  scheduledReportsPause,
  scheduledReportsResume,
  scheduledReportsDelete,
  incidentsList,
  incidentsShow,
  incidentsCreate,
  incidentsAck,
  incidentsAssign,
  incidentsComment,
  incidentsResolve,
  incidentsReopen,
  incidentsMerge,
  deploymentsCreate,
  datasetsList,
  datasetsImport,
  datasetsExport,
  datasetsAdd,
  experimentsList,
  experimentsRun,
  ...simulationCommands,
  scoresList,
  evaluatorsList,
  evaluatorsMeasure,
  onlineRulesList,
  onlineRulesCreate,
  onlineRulesEnable,
  onlineRulesDisable,
  onlineRulesBackfill,
  onlineRulesDelete,
  annotationQueuesList,
  agentsList,
  agentsShow,
  agentsGraph,
  toolsList,
  toolsShow,
  promptsList,
  promptsShow,
  promptsGet,
  promptsRun,
  promptsDiff,
  promptsLabel,
  promptsPull,
  promptsPush,
  promptsDelete,
  guardrailsList,
  guardrailsShow,
  guardrailsCreate,
  guardrailsCheck,
  guardrailsMeasure,
  dashboardsList,
  dashboardsExport,
  dashboardsImport,
  deploymentsList,
  deploymentsDelete,
  modelsList,
  modelsTest,
  alertsList,
  alertsShow,
  alertsCreate,
  alertsUpdate,
  alertsDelete,
  alertsEnable,
  alertsDisable,
  alertsHistory,
  alertsPreview,
  alertsTest,
  silencesList,
  silencesCreate,
  silencesDelete,
  channelsList,
  channelsCreate,
  channelsShow,
  channelsUpdate,
  channelsTest,
  channelsRotateSecret,
  channelsDelete,
  deliveriesList,
  deliveriesRetry,
  pricesList,
  pricesSet,
  pricesRemove,
  pricesImport,
  pricesExport,
  pricesSearch,
  pricesShow,
  pricesUpdate,
  pricesPackList,
  pricesPackCreate,
  pricesPackSign,
  pricesPackKeygen,
  repricePlan,
  repriceApply,
  repriceUndo,
  repriceList,
  repriceShow,
  keysCreate,
  keysList,
  keysRotate,
  keysRevoke,
  accessTokensCreate,
  accessTokensList,
  accessTokensRevoke,
  projectsCreate,
  projectsList,
  projectsDelete,
  projectsEraseUser,
  orgsCreate,
  orgsList,
  orgsUsage,
  orgsSetPlan,
  orgsRequireSecondFactor,
  upgrade,
  move,
  doctor,
  backup,
  restore,
  verify,
  usersCreate,
  usersList,
  usersShow,
  usersSetRole,
  usersRemove,
  usersInviteLink,
  usersResetLink,
  usersResetFactors,
  domainsList,
  domainsSet,
  domainsRemove,
  auditList,
  auditVerify,
  auditExport,
  authCheckIssuer,
  jobsList,
  jobsRun,
  otelInspect,
  migrateStatus,
  migrateUp,
  benchIngest,
  benchQuery,
  benchRaw,
  benchPurge,
  benchStart,
  configShow,
  completionsBash,
  completionsZsh,
  completionsFish,
  completionsWords,
];
