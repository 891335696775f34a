import type { Module } from '../../module.ts';
import { dayBuilderOf, eventServices } from './events-of.ts';
import { pricesVersionRead } from './stores/clickhouse/changes/prices-version.ts';
import { outboxDoneOp, outboxOp } from './stores/clickhouse/record/outbox-ops.ts';
import { buildRollupsJob } from './stores/clickhouse/rollups/build-job.ts';
import { changeReads } from './stores/sqlite/changes/change-events.ts';
import { editCostsOp } from './stores/sqlite/changes/edit-costs-op.ts';
import { forgetCostsOp, keepCostsOp } from './stores/sqlite/changes/kept-costs.ts';
import { giveUpOp } from './stores/sqlite/damage/give-up-op.ts';
import { noteDamageOp } from './stores/sqlite/damage/note-damage-op.ts';
import { putBackOp } from './stores/sqlite/damage/put-back-op.ts';
import { damageReads } from './stores/sqlite/damage/stored-damage.ts';
import { retentionReads } from './stores/sqlite/deletion/delete-before.ts';
import { dropBatchesOp, dropSegmentOp, noteDropOp } from './stores/sqlite/deletion/drop-ops.ts';
import { eraseSegmentOp } from './stores/sqlite/deletion/erase-op.ts';
import { eraseRead } from './stores/sqlite/deletion/erase-read.ts';
import { anySegmentRead } from './stores/sqlite/deletion/purge.ts';
import { renameErasedOp } from './stores/sqlite/deletion/rename-user.ts';
import { indexIdsJob } from './stores/sqlite/id-index/index-job.ts';
import { beginIndexOp, dropIndexOp, indexPagesOp } from './stores/sqlite/id-index/index-ops.ts';
import { indexPagesRead, indexWorkRead } from './stores/sqlite/id-index/read-index.ts';
import { priceIdsOp } from './stores/sqlite/ingest/price-ids.ts';
import { recordOp } from './stores/sqlite/ingest/record-op.ts';
import { packLabelsJob, packLabelsOp } from './stores/sqlite/labels/label-packs.ts';
import { listReads } from './stores/sqlite/open-lists.ts';
import { metricReads } from './stores/sqlite/open-metrics.ts';
import { keepRowsOp, keepRunRowsJob, missingRowsRead } from './stores/sqlite/runs/keep-rows.ts';
import { finishSegmentsOp } from './stores/sqlite/seal/finish-op.ts';
import { sealRead } from './stores/sqlite/seal/read-batches.ts';
import { mergeRead } from './stores/sqlite/seal/read-small.ts';
import { sealLogJob } from './stores/sqlite/seal/seal-job.ts';
import { beginSegmentsOp, segmentPartsOp } from './stores/sqlite/seal/segment-ops.ts';
import { unsealedOp } from './stores/sqlite/seal/unsealed-op.ts';
import { eventTables } from './stores/sqlite/tables.ts';

export const eventsModule: Module = {
  name: 'events',
  tables: eventTables,
  writes: [
    recordOp,
    beginSegmentsOp,
    segmentPartsOp,
    finishSegmentsOp,
    unsealedOp,
    packLabelsOp,
    beginIndexOp,
    indexPagesOp,
    dropIndexOp,
    keepRowsOp,
    priceIdsOp,
    editCostsOp,
    keepCostsOp,
    forgetCostsOp,
    dropSegmentOp,
    dropBatchesOp,
    noteDropOp,
    eraseSegmentOp,
    renameErasedOp,
    noteDamageOp,
    putBackOp,
    giveUpOp,
    outboxOp,
    outboxDoneOp,
  ],
  reads: [
    ...listReads,
    ...metricReads,
    ...changeReads,
    ...retentionReads,
    ...damageReads,
    anySegmentRead,
    eraseRead,
    sealRead,
    mergeRead,
    indexWorkRead,
    indexPagesRead,
    missingRowsRead,
    pricesVersionRead,
  ],
  jobs: [sealLogJob, packLabelsJob, indexIdsJob, keepRunRowsJob, buildRollupsJob(dayBuilderOf)],
  services: eventServices,
};

export type { RecordedBatch } from './batch.ts';
export {
  type CallSelection,
  type ChangeOutcome,
  type CostDifference,
  type EventChange,
  START,
} from './change.ts';
export {
  CONTRAST_DIMENSIONS,
  type Contrast,
  type ContrastCell,
  type ContrastDimension,
  type ContrastQuery,
  type Side,
  type Sides,
} from './contrast.ts';
export { findDuplicates } from './count-once.ts';
export type { ErasureOutcome } from './deletion.ts';
export type { ParsedEvent } from './event.ts';
export { eventsOf, intakeOf, recordMeter, senderOf } from './events-of.ts';
export { EVENT_FIELDS, type FieldType } from './fields.ts';
export { isSampled } from './filter/is-sampled.ts';
export { type Targets, targetsAsked } from './filter/targets.ts';
export { isAnswered } from './is-answered.ts';
export type {
  Ledger,
  LedgerAccount,
  LedgerDay,
  LedgerModel,
  LedgerParty,
} from './ledger.ts';
export type { LinkDimension, LinkRenames, LinkRow, LinksQuery, LinkTimes } from './links.ts';
export { registryName } from './links.ts';
export {
  isPercentile,
  type Measure,
  measureOf,
  PERCENTILES,
  type Percentile,
  SUM_MEASURES,
  type Sum,
  type SumMeasure,
  sumsFor,
} from './measures.ts';
export {
  BUCKET_MS,
  type Bucket,
  type GroupFigures,
  type LabelDimension,
  type MetricsQueries,
  type MetricsQuery,
  type MetricsRow,
} from './metrics.ts';
export { orderOf } from './order/contract.ts';
export { type ParseContext, parseEvent } from './parse-event.ts';
export type { EventsDocument } from './query/contract.ts';
export { deletedCalls, leftOut } from './query/left-out.ts';
export { runMetrics } from './query/run-metrics.ts';
export {
  isRunPercentile,
  RUN_PERCENTILES,
  RUN_SUMS,
  type RunSeriesQuery,
  type RunShape,
  type RunSum,
  runMeasureOf,
} from './query/run-series.ts';
export { filtersOf, listSelection, metricsWindow, windowBefore } from './query-window.ts';
export type {
  EventQuery,
  EventsPageQuery,
  FoundEvent,
  PageQuery,
  UserDay,
  UserFigures,
  UserQuery,
  UsersQuery,
} from './read-queries.ts';
export { priceEvent, type RecordOptions, type RecordReply, recordEvents } from './record-events.ts';
export { redactorOf } from './redactor-of.ts';
export { type EventFilters, FAILED_STATUSES, type Window } from './selection.ts';
export type { SeriesPart, SeriesQuery, SeriesShape, SeriesTime } from './series.ts';
export { spanEventId } from './span-event-id.ts';
export { migrateEventStore } from './stores/clickhouse/migrate-store.ts';
export { compareSums } from './stores/first/compare-sums.ts';
export { openFirstRows } from './stores/first/first-rows.ts';
export { FIRST_ONLY_TABLES } from './stores/first/tables.ts';
export { createSegmentWriter, eventSlices } from './stores/first/upgrade-events.ts';
export { copyBack, projectsIn, rowsOfProject } from './stores/move/back/copy-back.ts';
export { finishBack, OWN_EVENT_TABLES } from './stores/move/back/finish-back.ts';
export { openWorkFile, type WorkFile } from './stores/move/back/work-file.ts';
export { dropEvents } from './stores/move/drop-events.ts';
export { contentsOf, copyChanged, type FileContents, finishCopy } from './stores/move/move-out.ts';
export { type EventsAddress, openEventsAddress } from './stores/move/open-address.ts';
export { compareWindows } from './stores/shared/contrast/compare-windows.ts';
export { type ComparedCall, toPart } from './stores/shared/contrast/compared-calls.ts';
export {
  LEDGER_BUCKETS,
  LEDGER_SUMS,
  type LedgerColumns,
  type LedgerRows,
  type LedgerSpace,
  ledgerRowNumbers,
  unpackLedgerRows,
} from './stores/shared/ledger/ledger-rows.ts';
export { openSqliteStore } from './stores/sqlite/open-store.ts';
export type { EventSubject, SubjectQuery } from './subject.ts';
export { withoutContent } from './unknown-fields.ts';
