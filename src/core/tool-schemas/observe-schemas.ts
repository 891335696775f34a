import type { Effect } from '../../db/effects.ts';
import type { RecordedBatch } from '../events/index.ts';

/** A schema of a tool in a batch. Epoch milliseconds. */
export type SeenSchema = {
  readonly id: string;
  readonly tool: string;
  readonly fingerprint: string;
  /** As the table keeps them. */
  readonly properties: string;
  readonly first: number;
  readonly last: number;
};
export type SeenSchemas = {
  readonly organizationId: string;
  readonly projectId: string;
  readonly seen: readonly SeenSchema[];
};

/** Most schemas of a tool, and of a project. */
const MAX_OF_TOOL = 50;
const MAX_OF_PROJECT = 2_000;

/** Writes schemas of tools with a batch of the calls that were offered them. A tool or project with very many gets no more. */
export const observeSchemas: Effect<SeenSchemas, RecordedBatch, boolean> = {
  name: 'tool_schemas.observe',
  open(connection) {
    const times = connection.prepare(
      'UPDATE tool_schemas SET first_seen = min(first_seen, ?2), last_seen = max(last_seen, ?3) WHERE id = ?1',
    );
    const insert = connection.prepare(
      `INSERT INTO tool_schemas (id, organization_id, project_id, tool, fingerprint, properties, first_seen, last_seen)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
       WHERE (SELECT count(*) FROM tool_schemas WHERE project_id = ?3 AND tool = ?4) < ${MAX_OF_TOOL}
         AND (SELECT count(*) FROM tool_schemas WHERE project_id = ?3) < ${MAX_OF_PROJECT}`,
    );
    return {
      apply({ organizationId, projectId, seen }, { stored }) {
        if (stored === 0) return false;
        for (const { id, tool, fingerprint, properties, first, last } of seen)
          if (times.run([id, first, last]).changes === 0)
            insert.run([id, organizationId, projectId, tool, fingerprint, properties, first, last]);
        return true;
      },
    };
  },
};
