import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
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
  /** Of the project, the newest. */
  readonly last_chunk: number | null;
};

const MAX_SHOWN = 200;

/** The erasures of a project, newest first, at most 200; or the one with an id. */
export async function listErasures(
  ctx: Ctx,
  projectId: string,
  id: string | null = null,
): Promise<Erasure[]> {
  const rows = await ctx.db.sql.all<Row>(
    sql`SELECT e.id, user_digest, requested_by, requested_at, finished_at, e.chunk, events, refused_lines,
          (SELECT max(c.chunk) FROM event_chunks c JOIN projects p ON p.no = c.project WHERE p.id = e.project_id) AS last_chunk
        FROM erasures e WHERE project_id = ${projectId} AND (${id} IS NULL OR e.id = ${id})
        ORDER BY requested_at DESC, e.id DESC LIMIT ${MAX_SHOWN}`,
  );
  return rows.map(toErasure);
}

function toErasure(row: Row): Erasure {
  const done = row.finished_at !== null;
  return {
    id: row.id,
    status: done ? 'done' : 'running',
    requestedAt: formatInstant(row.requested_at),
    finishedAt: row.finished_at === null ? null : formatInstant(row.finished_at),
    requestedBy: row.requested_by,
    userDigest: row.user_digest,
    progress: done ? 1 : Math.min(0.99, row.chunk / ((row.last_chunk ?? 0) + 1)),
    deleted: { events: row.events, refusedLines: row.refused_lines },
  };
}

/** An erasure that is not done. Nothing is left to do of a deleted project. */
export type OpenErasure = {
  readonly id: string;
  readonly project: number;
  readonly projectId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly digest: string;
  readonly chunk: number;
};

/** The oldest erasure that is not done; null when all are. */
export async function nextErasure(ctx: Ctx): Promise<OpenErasure | null> {
  const [row] = await ctx.db.sql.all<OpenErasure>(
    sql`SELECT e.id, p.no AS project, p.id AS projectId, e.organization_id AS organizationId,
          e.user_id AS userId, e.user_digest AS digest, e.chunk
        FROM erasures e JOIN projects p ON p.id = e.project_id
        WHERE e.finished_at IS NULL AND p.deleted_at IS NULL ORDER BY e.requested_at, e.id LIMIT 1`,
  );
  return row ?? null;
}
