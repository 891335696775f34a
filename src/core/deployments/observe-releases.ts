import type { SqlValue } from '../../db/connection.ts';
import type { Effect } from '../../db/effects.ts';
import type { RecordedBatch } from '../events/index.ts';

/** Times of a release's events in one environment, in epoch milliseconds. */
export type SeenRelease = {
  /** Id of the deployment, if there is none yet. */
  readonly id: string;
  readonly environment: string;
  readonly release: string;
  readonly first: number;
  readonly last: number;
};
export type SeenReleases = {
  readonly organizationId: string;
  readonly projectId: string;
  readonly now: number;
  readonly seen: readonly SeenRelease[];
};

/**
 * Writes releases with a batch of their events: a new one as a deployment, and the times of known ones. An observed
 * deployment begins with its earliest event, whenever that arrives.
 */
export const observeReleases: Effect<SeenReleases, RecordedBatch, boolean> = {
  name: 'deployments.observe',
  open(connection) {
    const note = connection.prepare(
      `INSERT INTO deployments (id, organization_id, project_id, environment, release, at, source, first_event_at,
         last_event_at, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'observed', ?6, ?7, ?8)
       ON CONFLICT (project_id, environment, release) DO UPDATE SET
         at = CASE source WHEN 'observed' THEN min(at, ?6) ELSE at END,
         first_event_at = min(coalesce(first_event_at, ?6), ?6),
         last_event_at = max(coalesce(last_event_at, ?7), ?7)`,
    );
    return {
      apply({ organizationId, projectId, now, seen }, { stored }) {
        if (stored === 0) return false;
        for (const { id, environment, release, first, last } of seen) {
          const row: SqlValue[] = [id, organizationId, projectId, environment, release, first, last, now];
          note.run(row);
        }
        return true;
      },
    };
  },
};
