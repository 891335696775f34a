import type { Ctx } from '../../../context.ts';
import type { CheckedStage } from '../../../lib/guardrails/definition.ts';
import {
  type CompiledGuardrail,
  type RemoteCheckRunner,
  runGuardrails,
  SlowChecksError,
  type Verdict,
} from '../../../lib/guardrails/run-guardrails.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import { checkLarge } from './check-work.ts';
import type { ReadyGuardrails } from './compiled.ts';

/** Longer texts, or messages as JSON, are checked on another thread. */
const LARGE = 20_000;
/** Checks of a shorter text are, too, if they take longer than this on the thread that serves HTTP. */
const WITHIN_MS = 20;

type Asked = {
  readonly guardrails: readonly CompiledGuardrail[];
  readonly text?: string | undefined;
  readonly messages?: readonly unknown[] | undefined;
  readonly stage: CheckedStage;
  readonly pace: ReadyGuardrails['pace'];
  /** Without it judges and webhooks count as failed. */
  readonly remote?: RemoteCheckRunner | undefined;
};

/** Runs guardrails over a text or messages, on another thread if that takes long. Throws AppError 429 or 503. */
export async function runChecks(
  ctx: Ctx,
  { organizationId }: Pick<ProjectScope, 'organizationId'>,
  { guardrails, text, messages, stage, pace, remote }: Asked,
): Promise<Verdict> {
  const content: unknown = text ?? messages;
  const size = text?.length ?? JSON.stringify(messages).length;
  if (size <= LARGE && !pace.isSlow) {
    try {
      return await runGuardrails(guardrails, content, stage, { remote, withinMs: WITHIN_MS });
    } catch (error) {
      if (!(error instanceof SlowChecksError)) throw error;
      pace.isSlow = true;
    }
  }
  return checkLarge(ctx, organizationId, { guardrails, content, stage, remote });
}
