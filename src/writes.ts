import { appendEffect } from './core/audit/append-effect.ts';
import { commitOp } from './core/audit/commit-op.ts';
import { changeItemsOp } from './core/datasets/change/change-op.ts';
import { observeReleases } from './core/deployments/observe-releases.ts';
import { outboxDoneOp, outboxOp } from './core/events/stores/clickhouse/record/outbox-ops.ts';
import { editCostsOp } from './core/events/stores/sqlite/changes/edit-costs-op.ts';
import { forgetCostsOp, keepCostsOp } from './core/events/stores/sqlite/changes/kept-costs.ts';
import { giveUpOp } from './core/events/stores/sqlite/damage/give-up-op.ts';
import { noteDamageOp } from './core/events/stores/sqlite/damage/note-damage-op.ts';
import { putBackOp } from './core/events/stores/sqlite/damage/put-back-op.ts';
import { dropBatchesOp, dropSegmentOp, noteDropOp } from './core/events/stores/sqlite/deletion/drop-ops.ts';
import { eraseSegmentOp } from './core/events/stores/sqlite/deletion/erase-op.ts';
import { renameErasedOp } from './core/events/stores/sqlite/deletion/rename-user.ts';
import { beginIndexOp, dropIndexOp, indexPagesOp } from './core/events/stores/sqlite/id-index/index-ops.ts';
import { priceIdsOp } from './core/events/stores/sqlite/ingest/price-ids.ts';
import { recordOp } from './core/events/stores/sqlite/ingest/record-op.ts';
import { packLabelsOp } from './core/events/stores/sqlite/labels/label-packs.ts';
import { keepRowsOp } from './core/events/stores/sqlite/runs/keep-rows.ts';
import { finishSegmentsOp } from './core/events/stores/sqlite/seal/finish-op.ts';
import { beginSegmentsOp, segmentPartsOp } from './core/events/stores/sqlite/seal/segment-ops.ts';
import { unsealedOp } from './core/events/stores/sqlite/seal/unsealed-op.ts';
import { countOutcomes } from './core/guardrails/counts/count-outcomes.ts';
import { settleEffect } from './core/models/settle-effect.ts';
import { queueTraces } from './core/online-rules/arrival/queue-traces.ts';
import { changePromptsOp } from './core/prompts/change/change-op.ts';
import { keepLinesEffect } from './core/quarantine/keep-lines.ts';
import { releaseLineEffect } from './core/quarantine/release-line.ts';
import { observeSchemas } from './core/tool-schemas/observe-schemas.ts';
import { countUsage } from './core/usage/count-usage.ts';
import { warnOp } from './core/usage/note-exhausted.ts';
import type { Writes } from './db/group-commit.ts';
import { sliceOp } from './db/slice.ts';
import { sqlOp } from './db/sql-op.ts';
import { settleOp } from './features/alerts/evaluate/settle-op.ts';
import { progressEffect as erasureProgress, finishOp, requestOp } from './features/erasure/ops.ts';
import { changeIncidentOp } from './features/incidents/change/change-op.ts';
import { progressEffect as repricingProgress } from './features/repricing/progress-effect.ts';

/**
 * What the writer thread runs: the writes and effects of all manifests. It imports each from its own file, because the
 * manifests would load the routes and their schemas, too: twenty megabytes that the thread never uses.
 */
export const writes: Writes = {
  ops: [
    sqlOp,
    sliceOp,
    commitOp,
    changeItemsOp,
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
    changePromptsOp,
    warnOp,
    settleOp,
    requestOp,
    finishOp,
    changeIncidentOp,
  ],
  effects: [
    appendEffect,
    observeReleases,
    observeSchemas,
    countOutcomes,
    settleEffect,
    queueTraces,
    keepLinesEffect,
    releaseLineEffect,
    countUsage,
    erasureProgress,
    repricingProgress,
  ],
};
