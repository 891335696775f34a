import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { type EventSubject, eventsOf, type SubjectQuery } from '../events/index.ts';
import { ofProject, type ProjectScope } from '../tenancy/index.ts';
import type { scores } from './table.ts';

/** A trace is looked at once more when it has been silent for so long, because spans arrive one after the other. */
const SETTLED_MS = 10 * MINUTE_MS;
/** Targets that have not arrived after so long are looked for no more. */
const GIVEN_UP_MS = 7 * 24 * HOUR_MS;
const MIN_WAIT_MS = 5_000;

/** The columns that repeat what the events say of a target. */
export type TargetFields = Pick<
  typeof scores.$inferInsert,
  | 'at'
  | 'nextLook'
  | 'aboutUser'
  | 'model'
  | 'provider'
  | 'environment'
  | 'release'
  | 'agent'
  | 'agentVersion'
  | 'tool'
  | 'promptName'
  | 'promptVersion'
  | 'userId'
  | 'sessionId'
  | 'keyId'
  | 'status'
  | 'errorCode'
  | 'finishReason'
  | 'kind'
  | 'operation'
  | 'tags'
>;

/** Looks targets up in the events, in their order; null for those that have not arrived or cannot be read. */
export async function findTargets(
  ctx: Ctx,
  scope: ProjectScope,
  targets: readonly SubjectQuery[],
): Promise<(EventSubject | null)[]> {
  if (targets.length === 0) return [];
  try {
    return await eventsOf(ctx).subjects(ofProject(scope), { of: targets, content: false });
  } catch (error) {
    // The score is worth more than what is known of its target; the job looks again.
    if (error instanceof AppError) return targets.map(() => null);
    throw error;
  }
}

/**
 * What a score keeps of its target: of a trace, the values of its root, and where the root has none, of its last call.
 * @param now epoch milliseconds
 */
export function targetFields({ from, to, userId, root, call }: EventSubject, now: number): TargetFields {
  const either = <K extends keyof typeof root>(name: K) => root[name] ?? call?.[name] ?? null;
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const tags = { ...call?.tags, ...root.tags };
  return {
    at: new Date(from),
    nextLook: now - to < SETTLED_MS ? new Date(now + SETTLED_MS) : null,
    aboutUser: userId ?? '',
    model: text(either('model')),
    provider: text(either('provider')),
    environment: text(root.environment),
    release: text(either('release')),
    agent: text(either('agent')),
    agentVersion: text(either('agent_version')),
    tool: text(either('tool')),
    promptName: text(either('prompt_name')),
    promptVersion: text(either('prompt_version')),
    userId: text(userId),
    sessionId: text(either('session_id')),
    keyId: text(either('key_id')),
    status: root.status,
    errorCode: text(either('error_code')),
    finishReason: text(either('finish_reason')),
    kind: root.kind,
    operation: text(either('operation')),
    tags: Object.keys(tags).length === 0 ? null : tags,
  };
}

/** When to look again for a target that has not arrived; null if it is given up. Waits grow with the score's age. */
export function lookAgain(createdAt: number, now: number): Date | null {
  const age = Math.max(0, now - createdAt);
  return age > GIVEN_UP_MS ? null : new Date(now + Math.min(HOUR_MS, Math.max(MIN_WAIT_MS, age)));
}
