import { readCounts } from './core/annotation-queues/items/read-counts.ts';
import { countItems, countVersion, getItems, listItems } from './core/datasets/reads.ts';
import { countsRead as guardrailCounts } from './core/guardrails/counts/read-counts.ts';
import { countReasons, listErrors, listQuarantine, listReplayable } from './core/quarantine/queries.ts';
import { changesRead } from './core/root-cause/what-changed.ts';
import { readAgreement } from './core/scores/agreement/read-agreement.ts';
import { contrastScores } from './core/scores/figures/contrast-scores.ts';
import { readTargets } from './core/scores/figures/read-targets.ts';
import { readScoreMarks, readScoreSeries } from './core/scores/figures/score-series.ts';
import { sumScores } from './core/scores/figures/sum-scores.ts';
import { listScoresRead } from './core/scores/list-scores.ts';
import { countsRead as usageCounts } from './core/usage/queries.ts';
import type { ReadOp } from './db/reader.ts';
import { exportAudit, listAudit } from './features/audit/queries.ts';
import { readHead, verifyStep } from './features/audit/verify.ts';
import { readFigures } from './features/experiments/read/figures.ts';
import { listRunsRead } from './features/experiments/read/list-runs.ts';
import { inspectRead } from './features/otel/inspect/inspect-read.ts';
import { compareRead, invoiceRead } from './features/reconcile/compare/reconcile.ts';
import { driftRead } from './features/reconcile/connectors/drift-read.ts';
import { conversationsRead, turnsRead } from './features/simulations/read/conversation-reads.ts';
import { readFigures as simulationFigures } from './features/simulations/read/figures.ts';

/** The reads of all modules but events; see `event-reads.ts`. */
export const otherReads: readonly ReadOp[] = [
  readCounts,
  countItems,
  countVersion,
  getItems,
  listItems,
  guardrailCounts,
  listQuarantine,
  countReasons,
  listReplayable,
  listErrors,
  changesRead,
  listScoresRead,
  readAgreement,
  sumScores,
  readScoreSeries,
  readScoreMarks,
  readTargets,
  contrastScores,
  usageCounts,
  listAudit,
  exportAudit,
  verifyStep,
  readHead,
  listRunsRead,
  readFigures,
  inspectRead,
  invoiceRead,
  compareRead,
  driftRead,
  simulationFigures,
  conversationsRead,
  turnsRead,
];
