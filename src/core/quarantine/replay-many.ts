import type { Ctx } from '../../context.ts';
import type { Actor } from '../../module.ts';
import { auditWith, draftEntry } from '../audit/index.ts';
import { type ParsedEvent, parseEvent, redactorOf } from '../events/index.ts';
import { readIngestSettings } from '../projects/index.ts';
import { extendScope, ofProjects, type ProjectScope } from '../tenancy/index.ts';
import { recordCounted } from '../usage/index.ts';
import type { Correction, ManyLines, ReplayManyReply } from './contract.ts';
import { listReplayable } from './queries.ts';
import { reasonOf } from './reason.ts';
import { releaseLine } from './release-line.ts';

/** Lines of a request: as many as a batch of events has. */
const LINES = 100;

type Asked = ManyLines & {
  readonly after?: string | undefined;
  readonly correction?: Correction | undefined;
};

/**
 * Records refused lines of a reason with a correction, in one transaction with their deletion. Lines that are still
 * refused stay. @throws AppError 404 if somebody else replayed or dismissed one of them meanwhile
 */
export async function replayMany(
  ctx: Ctx,
  actor: Actor,
  given: { readonly scope: ProjectScope; readonly asked: Asked },
): Promise<ReplayManyReply> {
  const { reason, upTo, after = '', correction } = given.asked;
  const settings = await readIngestSettings(ctx, given.scope);
  const { monthlyEvents, monthlyBytes, storePrompts } = settings;
  const scope = extendScope(given.scope, { monthlyEvents, monthlyBytes });
  const query = { reason, upTo, after, limit: LINES };
  const lines = (await ctx.db.read(listReplayable, ofProjects([scope]), query)).parse();
  const context = { redact: redactorOf(ctx, settings.redactKeys), storePrompts, now: ctx.now() };
  const events: ParsedEvent[] = [];
  const ids: string[] = [];
  const refused = new Map<string, number>();
  for (const { id, body } of lines) {
    const parsed = parseEvent(corrected(JSON.parse(body) as Record<string, unknown>, correction), context);
    if (parsed.ok) {
      events.push(parsed.event);
      ids.push(id);
    } else refused.set(reasonOf(parsed.error), (refused.get(reasonOf(parsed.error)) ?? 0) + 1);
  }
  let duplicates = 0;
  if (events.length > 0) {
    const audited = draftEntry(ctx, actor, {
      action: 'quarantine.replayed',
      organizationId: scope.organizationId,
      projectId: scope.projectId,
      after: { lines: ids, reason: reason ?? 'all', correction: correction ?? null },
    });
    const effects = [...ids.map((id) => releaseLine(scope, id)), auditWith(audited)];
    duplicates = (await recordCounted(ctx, scope, events, { effects })).duplicates;
  }
  return {
    recorded: events.length,
    duplicates,
    refused: [...refused].map(([why, count]) => ({ reason: why, lines: count })),
    next: lines.length < LINES ? null : (lines.at(-1)?.id ?? null),
  };
}

/** Renames, removes and sets fields, in this order. */
function corrected(
  event: Readonly<Record<string, unknown>>,
  correction: Correction | undefined,
): Record<string, unknown> {
  if (correction === undefined) return { ...event };
  const { rename, remove, set } = correction;
  const renamed = Object.entries(event).map(([name, value]) => [
    Object.hasOwn(rename, name) ? rename[name] : name,
    value,
  ]);
  const kept = Object.fromEntries(renamed) as Record<string, unknown>;
  for (const name of remove) delete kept[name];
  return { ...kept, ...set };
}
