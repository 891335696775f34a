import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { findProjectNumber } from '../../core/projects/index.ts';
import { ofProject, operatorScope, type ProjectScope } from '../../core/tenancy/index.ts';
import { countText } from '../../lib/figures.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Erasure } from './contract.ts';

type Row = {
  readonly id: string;
  readonly user_digest: string;
  readonly requested_by: string;
  readonly requested_at: number;
  readonly finished_at: number | null;
  readonly chunk: number;
  readonly events: number;
  readonly refused_lines: number;
};

const MAX_SHOWN = 200;

/** The erasures of a project, newest first, at most 200; or only the one with the given id. */
export async function listErasures(
  ctx: Ctx,
  scope: ProjectScope,
  id: string | null = null,
): Promise<Erasure[]> {
  const rows = await ctx.db.sql.all<Row>(
    sql`SELECT id, user_digest, requested_by, requested_at, finished_at, chunk, events, refused_lines
        FROM erasures WHERE project_id = ${scope.projectId} AND (${id} IS NULL OR id = ${id})
        ORDER BY requested_at DESC, id DESC LIMIT ${MAX_SHOWN}`,
  );
  return Promise.all(rows.map((row) => toErasure(ctx, row, scope)));
}

async function toErasure(ctx: Ctx, row: Row, scope: ProjectScope): Promise<Erasure> {
  const done = row.finished_at !== null;
  return {
    id: row.id,
    status: done ? 'done' : 'running',
    requestedAt: formatInstant(row.requested_at),
    finishedAt: row.finished_at === null ? null : formatInstant(row.finished_at),
    requestedBy: row.requested_by,
    userDigest: row.user_digest,
    waitsFor: done || row.chunk === 0 ? null : await damageIn(ctx, scope),
    progress: done ? 1 : Math.min(0.99, await eventsOf(ctx).erasureProgress(scope, row.chunk)),
    deleted: { events: row.events, refusedLines: row.refused_lines },
  };
}

/** Damaged events that may be of any user; null if there are none. */
async function damageIn(ctx: Ctx, scope: ProjectScope): Promise<string | null> {
  const all = await eventsOf(ctx).damage(ofProject(scope));
  const events = all.reduce((sum, { state, events }) => sum + (state === 'damaged' ? events : 0), 0);
  return events === 0
    ? null
    : `${countText(events, 'event')} of the project ${events === 1 ? 'is' : 'are'} damaged and may contain more of the user. An operator can give up what is damaged: spanledger events drop-damaged`;
}

/** An unfinished erasure. */
export type OpenErasure = {
  readonly id: string;
  readonly scope: ProjectScope;
  readonly userId: string;
  readonly digest: string;
  readonly chunk: number;
};

/**
 * The next unfinished erasure that is not among some, null if there is none: the oldest of the organization that was
 * served longest ago, so that nobody waits for all of another's. Erasures of deleted projects are left to the purge.
 */
export async function nextErasure(ctx: Ctx, except: ReadonlySet<string>): Promise<OpenErasure | null> {
  const open = await ctx.db.sql.all<
    Omit<OpenErasure, 'scope'> & { projectId: string; organizationId: string }
  >(
    sql`SELECT id, project_id AS projectId, organization_id AS organizationId, user_id AS userId,
          user_digest AS digest, chunk
        FROM erasures LEFT JOIN (
          SELECT organization_id, max(finished_at) AS served_at FROM erasures GROUP BY organization_id
        ) USING (organization_id)
        WHERE finished_at IS NULL ORDER BY served_at NULLS FIRST, requested_at, id`,
  );
  for (const { projectId, organizationId, ...erasure } of open) {
    if (except.has(erasure.id)) continue;
    const no = await findProjectNumber(ctx, projectId);
    if (no !== null) return { ...erasure, scope: operatorScope({ id: projectId, no, organizationId }) };
  }
  return null;
}

/** Records that the erasure has begun: events from now on are not part of it, so a new request is another erasure. */
export async function noteStarted(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.sql.run(
    sql`UPDATE erasures SET started_at = ${ctx.now()} WHERE id = ${id} AND started_at IS NULL`,
  );
}
