import type { Ctx } from '../../../context.ts';
import type { CheckedStage } from '../../../lib/guardrails/definition.ts';
import { guardrailEvent } from '../../../lib/guardrails/note.ts';
import type { CheckResult } from '../../../lib/guardrails/run-guardrails.ts';
import { formatInstant } from '../../../lib/time.ts';
import { parseEvent, redactorOf } from '../../events/index.ts';
import { readIngestSettings } from '../../projects/index.ts';
import { extendScope, type ProjectScope } from '../../tenancy/index.ts';
import { recordCounted } from '../../usage/index.ts';
import { guardrailEffects } from '../counts/count-outcomes.ts';

/** Where a check belongs, as its caller says. */
export type CheckPlace = {
  readonly stage: CheckedStage;
  readonly environment: string;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
};

const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();

/**
 * Stores an event of the kind `guardrail` for each guardrail that looked, and counts it. A verdict is worth more than its
 * record: if the event cannot be stored, that is logged, and the caller gets the verdict all the same.
 */
export async function recordOutcomes(
  ctx: Ctx,
  scope: ProjectScope,
  place: CheckPlace,
  results: readonly CheckResult[],
): Promise<void> {
  if (results.length === 0) return;
  try {
    const { monthlyEvents, monthlyBytes, redactKeys } = await readIngestSettings(ctx, scope);
    const parsing = { redact: redactorOf(ctx, redactKeys), storePrompts: false, now: ctx.now() };
    const events = [...Map.groupBy(results, ({ guardrail }) => guardrail)].flatMap(([name, own]) => {
      const parsed = parseEvent(toFields(ctx, name, place, own), parsing);
      return parsed.ok ? [parsed.event] : [];
    });
    await recordCounted(ctx, extendScope(scope, { monthlyEvents, monthlyBytes }), events, {
      effects: guardrailEffects(scope, events),
    });
  } catch (error) {
    ctx.log.warn({ err: error, projectId: scope.projectId }, 'the outcome of guardrails was not recorded');
  }
}

function toFields(ctx: Ctx, name: string, place: CheckPlace, results: readonly CheckResult[]): object {
  const { stage, environment, traceId, spanId, userId, sessionId, model } = place;
  return {
    event_id: Bun.randomUUIDv7('hex', ctx.now()),
    timestamp: formatInstant(ctx.now()),
    trace_id: traceId ?? randomHex(16),
    span_id: randomHex(8),
    parent_span_id: spanId,
    model,
    environment,
    user_id: userId,
    session_id: sessionId,
    ...guardrailEvent(name, stage, results),
  };
}
