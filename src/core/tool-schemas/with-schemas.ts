import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import type { EffectCall } from '../../db/effects.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { RecordReply } from '../events/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { observeSchemas, type SeenSchema, type SeenSchemas } from './observe-schemas.ts';
import type { ToolDefinition } from './read-definitions.ts';

/** A tool that calls of a request were offered, with the times of the first and last of them. */
export type OfferedTool = ToolDefinition & { readonly first: number; readonly last: number };

type Times = { readonly first: number; readonly last: number };
const REMEMBERED = 20_000;

/** The times that were written of schemas, so that only news is: a new schema, an earlier call, or one an hour later. */
export const writtenSchemas: Service<LRUCache<string, Times>> = {
  name: 'tool_schemas.written',
  open: () => new LRUCache({ max: REMEMBERED }),
};

/**
 * Records events by `record` together with the schemas of tools that they were offered.
 * @param record records the events with these effects after its own
 */
export async function withSchemas(
  ctx: Ctx,
  { organizationId, projectId }: ProjectScope,
  tools: readonly OfferedTool[],
  record: (effects: readonly EffectCall[]) => Promise<RecordReply>,
): Promise<RecordReply> {
  if (tools.length === 0) return record([]);
  const written = ctx.use(writtenSchemas);
  const seen = tools.map((tool) => toSeen(projectId, tool)).filter((one) => isNews(written.get(one.id), one));
  if (seen.length === 0) return record([]);
  const payload: SeenSchemas = { organizationId, projectId, seen };
  const reply = await record([{ effect: observeSchemas.name, payload, rows: seen.length }]);
  if (reply.results.at(-1) === true)
    for (const { id, first, last } of seen) {
      const known = written.get(id) ?? { first, last };
      written.set(id, { first: Math.min(first, known.first), last: Math.max(last, known.last) });
    }
  return { ...reply, results: reply.results.slice(0, -1) };
}

const isNews = (written: Times | undefined, { first, last }: Times): boolean =>
  written === undefined || first < written.first - HOUR_MS || last > written.last + HOUR_MS;

function toSeen(projectId: string, { tool, properties, first, last }: OfferedTool): SeenSchema {
  const text = JSON.stringify(properties.map(({ path, type, required }) => [path, type, Number(required)]));
  const fingerprint = Bun.SHA256.hash(text, 'hex').slice(0, 8);
  const id = `schema_${Bun.SHA256.hash(JSON.stringify([projectId, tool, fingerprint]), 'hex').slice(0, 26)}`;
  return { id, tool, fingerprint, properties: text, first, last };
}
