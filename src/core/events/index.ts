import type { Module } from '../../module.ts';
import { eventServices } from './events-of.ts';
import { repriceOp, restoreOp } from './stores/sqlite/changes/change-ops.ts';
import { pricePageRead } from './stores/sqlite/changes/price-page.ts';
import { noteDeletionOp } from './stores/sqlite/deletion/delete-before.ts';
import { eraseSliceOp, renameUserOp } from './stores/sqlite/deletion/erase-op.ts';
import { recordOp } from './stores/sqlite/ingest/record-op.ts';
import { packLabelsJob, packLabelsOp } from './stores/sqlite/labels/label-packs.ts';
import { priceIdsOp } from './stores/sqlite/rows/price-ids.ts';
import { sealJob, sealOp } from './stores/sqlite/sealing/seal-op.ts';
import { eventTables } from './stores/sqlite/tables.ts';

export const eventsModule: Module = {
  name: 'events',
  tables: eventTables,
  writes: [
    recordOp,
    repriceOp,
    restoreOp,
    sealOp,
    packLabelsOp,
    priceIdsOp,
    noteDeletionOp,
    eraseSliceOp,
    renameUserOp,
  ],
  reads: [pricePageRead],
  jobs: [sealJob, packLabelsJob],
  services: eventServices,
};

export type { RecordOutcome } from './batch.ts';
export {
  type CallSelection,
  type ChangeOutcome,
  type CostDifference,
  type EventChange,
  START,
} from './change.ts';
export { findDuplicates } from './count-once.ts';
export type { ErasureOutcome } from './deletion.ts';
export type { ParsedEvent } from './event.ts';
export { eventsOf, intakeOf } from './events-of.ts';
export { isAnswered } from './is-answered.ts';
export { type ParseContext, parseEvent, withoutContent } from './parse-event.ts';
export { filtersOf, listSelection, metricsWindow } from './query-window.ts';
export { type RecordOptions, type RecordReply, recordEvents } from './record-events.ts';
export { redactorOf } from './redactor-of.ts';
export { spanEventId } from './span-event-id.ts';
export { createRawInsert } from './stores/sqlite/ingest/raw-insert.ts';
export { OTHER } from './stores/sqlite/labels/labels.ts';
export {
  isTagValueKept,
  type LabelDimension,
  type LabelGroup,
  queryLabels,
  queryTags,
} from './stores/sqlite/labels/query-labels.ts';
export { countEvents } from './stores/sqlite/queries/count-events.ts';
export { type FoundEvent, findEvent } from './stores/sqlite/queries/find-event.ts';
export {
  type ListEventsQuery,
  latestEvents,
  listEvents,
  pageOfEvents,
} from './stores/sqlite/queries/list-events.ts';
export {
  BUCKET_MS,
  type Bucket,
  queryMetrics,
  queryTogether,
  queryTotals,
} from './stores/sqlite/queries/query-metrics.ts';
export { type EventFilters, FAILED_STATUSES, type Window } from './stores/sqlite/rows/event-filters.ts';
export { firstDay } from './stores/sqlite/rows/first-day.ts';
export { sealChunks } from './stores/sqlite/sealing/seal-op.ts';
export { type ListSessionsQuery, listSessions } from './stores/sqlite/sessions/list-sessions.ts';
export { listSessionEvents, type SessionEventsQuery } from './stores/sqlite/sessions/session-events.ts';
export { getSession } from './stores/sqlite/sessions/session-line.ts';
export { getTrace } from './stores/sqlite/traces/get-trace.ts';
export { getWaterfall } from './stores/sqlite/traces/get-waterfall.ts';
export { type ListTracesQuery, listTraces } from './stores/sqlite/traces/list-traces.ts';
export { readUserDays, readUserDaysOf, type UserDay } from './stores/sqlite/users/get-user.ts';
export { type ListUsersQuery, listUsers } from './stores/sqlite/users/list-users.ts';
export { queryUsers } from './stores/sqlite/users/query-users.ts';
export { sumFigures, type UserFigures } from './stores/sqlite/users/user-figures.ts';
