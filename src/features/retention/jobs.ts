import { sealChunks } from '../../core/events/index.ts';
import { deleteInSlices } from '../../core/jobs/index.ts';
import { keptDays } from '../../core/projects/index.ts';
import { DAY_MS, SLOT_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import {
  noteDeletionOp,
  oldChunks,
  oldEventFilters,
  oldEvents,
  oldFilters,
  oldQuarantined,
  oldSessions,
  oldSlots,
  oldUndated,
} from './delete-op.ts';
import { listRetainedProjects } from './queries.ts';

/** A sender that repeats an event without a timestamp for longer makes a second event of it. */
const UNDATED_DAYS = 30;
/** decisions.md, Ingest: refused events can be corrected and replayed for 7 days. */
const QUARANTINE_DAYS = 7;

/**
 * interface.md, Limits: expired events are deleted by a nightly job. An event is expired when it is older
 * than the days of the plan or the project, each of 24 hours; one that is exactly as old stays.
 */
export const deleteExpired: Job = {
  name: 'retention.delete_expired',
  summary: 'Delete raw events older than the plan keeps them; their sums stay',
  schedule: '10 3 * * *',
  run: async (ctx, signal) => {
    const now = ctx.now();
    const projects = await listRetainedProjects(ctx);
    const deleted = { events: 0, undated_events: 0, quarantined_events: 0 };
    for (const project of projects) {
      const { no, organization } = project;
      const before = (days: number): number => now - days * DAY_MS;
      const kept = before(keptDays(project, organization));
      const task = { ctx, signal };
      await sealChunks(ctx, no, { before: kept, signal });
      await ctx.db.writer.write(noteDeletionOp.name, { project: no, before: kept });
      deleted.events += await deleteInSlices(oldEvents, { prefix: no, until: kept }, task);
      await deleteInSlices(oldSlots, { prefix: no, until: Math.floor(kept / SLOT_MS) }, task);
      await deleteInSlices(oldChunks, { prefix: no, where: kept }, task);
      await deleteInSlices(oldFilters, { prefix: no, where: no }, task);
      await deleteInSlices(oldSessions, { prefix: no, where: no }, task);
      await deleteInSlices(oldEventFilters, { prefix: no, where: no }, task);
      deleted.undated_events += await deleteInSlices(
        oldUndated,
        { prefix: no, where: before(UNDATED_DAYS) },
        task,
      );
      deleted.quarantined_events += await deleteInSlices(
        oldQuarantined,
        { prefix: no, until: before(QUARANTINE_DAYS) },
        task,
      );
    }
    return { projects: projects.length, deleted };
  },
};
