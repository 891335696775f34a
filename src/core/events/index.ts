import type { Module } from '../../module.ts';
import { packLabelsJob, packLabelsOp } from './label-packs.ts';
import { priceIdsOp } from './price-ids.ts';
import { recordOp } from './record-op.ts';
import { addFilterOp, sealJob, sealOp } from './seal-op.ts';

export const eventsModule: Module = {
  name: 'events',
  writes: [recordOp, sealOp, addFilterOp, packLabelsOp, priceIdsOp],
  jobs: [sealJob, packLabelsJob],
};

export { type CostState, createCostChange, type EventKey } from './cost-change.ts';
export { countEvents } from './count-events.ts';
export { findDuplicates } from './count-once.ts';
export { createUserEraser } from './erase-user.ts';
export type { ParsedEvent } from './event.ts';
export { type EventFilters, FAILED_STATUSES, type Window } from './event-filters.ts';
export { type FoundEvent, findEvent } from './find-event.ts';
export { firstDay } from './first-day.ts';
export { getTrace } from './get-trace.ts';
export { readUserDays, readUserDaysOf, type UserDay } from './get-user.ts';
export { getWaterfall } from './get-waterfall.ts';
export { isAnswered } from './is-answered.ts';
export { OTHER } from './labels.ts';
export { type ListEventsQuery, latestEvents, listEvents, pageOfEvents } from './list-events.ts';
export { type ListSessionsQuery, listSessions } from './list-sessions.ts';
export { type ListTracesQuery, listTraces } from './list-traces.ts';
export { type ListUsersQuery, listUsers } from './list-users.ts';
export { type ParseContext, parseEvent, withoutContent } from './parse-event.ts';
export { priceNumbersOf } from './price-ids.ts';
export {
  isTagValueKept,
  type LabelDimension,
  type LabelGroup,
  queryLabels,
  queryTags,
} from './query-labels.ts';
export { BUCKET_MS, type Bucket, queryMetrics, queryTogether, queryTotals } from './query-metrics.ts';
export { queryUsers } from './query-users.ts';
export { filtersOf, listSelection, metricsWindow } from './query-window.ts';
export { type RefusedLine, recordEvents } from './record-events.ts';
export { redactorOf } from './redactor-of.ts';
export { sealChunks } from './seal-op.ts';
export { listSessionEvents, type SessionEventsQuery } from './session-events.ts';
export { getSession } from './session-line.ts';
export { spanEventId } from './span-event-id.ts';
export { sumFigures, type UserFigures } from './user-figures.ts';
