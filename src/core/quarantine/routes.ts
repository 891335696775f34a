import { badRequest } from '../../errors.ts';
import { actorOf } from '../../module.ts';
import { auditWith, draftEntry } from '../audit/index.ts';
import { parseEvent, redactorOf } from '../events/index.ts';
import { readIngestSettings } from '../projects/index.ts';
import { extendScope, ofProjects, route } from '../tenancy/index.ts';
import { recordCounted } from '../usage/index.ts';
import {
  dismissEndpoint,
  listQuarantineEndpoint,
  quarantineReasonsEndpoint,
  replayEndpoint,
  replayManyEndpoint,
} from './contract.ts';
import { dismissLines } from './dismiss.ts';
import { countReasons, listQuarantine } from './queries.ts';
import { releaseLine } from './release-line.ts';
import { replayMany } from './replay-many.ts';

export const listRoute = route(listQuarantineEndpoint, (ctx, { query }, { scope }) =>
  ctx.db.read(listQuarantine, ofProjects([scope]), {
    cursor: query.cursor ?? null,
    limit: query.limit,
    reason: query.reason,
  }),
);

export const reasonsRoute = route(quarantineReasonsEndpoint, (ctx, _input, { scope }) =>
  ctx.db.read(countReasons, ofProjects([scope]), null),
);

export const dismissRoute = route(dismissEndpoint, async (ctx, input, caller) => ({
  dismissed: await dismissLines(ctx, actorOf(caller, input), { scope: caller.scope, chosen: input.body }),
}));

export const replayManyRoute = route(replayManyEndpoint, (ctx, input, caller) =>
  replayMany(ctx, actorOf(caller, input), { scope: caller.scope, asked: input.body }),
);

/** Stores the corrected event and deletes the line in one transaction. */
export const replayRoute = route(replayEndpoint, async (ctx, input, caller) => {
  const { params, body } = input;
  const settings = await readIngestSettings(ctx, caller.scope);
  const parsed = parseEvent(body.event, {
    redact: redactorOf(ctx, settings.redactKeys),
    storePrompts: settings.storePrompts,
    now: ctx.now(),
  });
  if (!parsed.ok) throw badRequest(parsed.error);
  const { monthlyEvents, monthlyBytes } = settings;
  const scope = extendScope(caller.scope, { monthlyEvents, monthlyBytes });
  const audited = draftEntry(ctx, actorOf(caller, input), {
    action: 'quarantine.replayed',
    organizationId: scope.organizationId,
    projectId: scope.projectId,
    after: { line: params.lineId, event_id: parsed.event.event_id },
  });
  const effects = [releaseLine(scope, params.lineId), auditWith(audited)];
  const { duplicates } = await recordCounted(ctx, scope, [parsed.event], { effects });
  return { event_id: parsed.event.event_id, duplicate: duplicates === 1 };
});
