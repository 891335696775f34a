import { z } from 'zod';
import { badRequest } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { auditWith, draftEntry } from '../audit/index.ts';
import { parseEvent, redactorOf } from '../events/index.ts';
import { readIngestSettings } from '../projects/index.ts';
import { defineRoute } from '../tenancy/index.ts';
import { recordCounted } from '../usage/index.ts';
import { quarantinePageSchema, replayReplySchema } from './contract.ts';
import { listQuarantine } from './queries.ts';
import { releaseLine } from './release-line.ts';

const limit = z.coerce.number('must be a number').int().min(1).max(200).default(50);

export const listRoute = defineRoute({
  method: 'GET',
  path: '/v1/quarantine',
  auth: 'project',
  summary: 'Lines that ingest refused in the last 7 days, newest first',
  query: z.object({ cursor: z.string().optional(), limit }),
  reply: quarantinePageSchema,
  handler: async (ctx, { query }, { scope }) =>
    new JsonText(
      await ctx.db.read(listQuarantine, [scope.no], { cursor: query.cursor ?? null, limit: query.limit }),
    ),
});

/** The corrected event is stored and the line taken out in one transaction. */
export const replayRoute = defineRoute({
  method: 'POST',
  path: '/v1/quarantine/:lineId/replay',
  auth: 'project',
  role: 'member',
  summary: 'Record a refused line, corrected',
  params: z.object({ lineId: z.string() }),
  body: z.object({ event: z.record(z.string(), z.unknown()) }),
  reply: replayReplySchema,
  handler: async (ctx, input, caller) => {
    const { params, body } = input;
    const settings = await readIngestSettings(ctx, caller.scope);
    const parsed = parseEvent(body.event, {
      redact: redactorOf(settings.redactKeys),
      storePrompts: settings.storePrompts,
      now: ctx.now(),
    });
    if (!parsed.ok) throw badRequest(parsed.error);
    const scope = { ...caller.scope, monthlyEvents: settings.monthlyEvents };
    const audited = draftEntry(ctx, actorOf(caller, input), {
      action: 'quarantine.replayed',
      organizationId: scope.organizationId,
      projectId: scope.projectId,
      after: { line: params.lineId, event_id: parsed.event.event_id },
    });
    const effects = [releaseLine(scope, params.lineId), auditWith(audited)];
    const { duplicates } = await recordCounted(ctx, scope, [parsed.event], { effects });
    return { event_id: parsed.event.event_id, duplicate: duplicates === 1 };
  },
});
