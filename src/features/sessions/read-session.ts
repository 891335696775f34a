import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import type { EventScope } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';
import type { JsonText } from '../../lib/json-text.ts';
import type { SessionReply } from './contract.ts';

/** A session with its traces. Throws AppError 404. */
export async function readSession(
  ctx: Ctx,
  scope: EventScope,
  sessionId: string,
): Promise<JsonText<SessionReply>> {
  return foundSession(await eventsOf(ctx).session(scope, sessionId));
}

/** A part of a session. Throws AppError 404 for null. */
export function foundSession<T>(session: T | null): T {
  if (session === null) throw notFound('There is no such session in this project');
  return session;
}
