import type { Ctx, Service } from '../../../context.ts';
import { createShare } from '../../../http/share.ts';
import type { Work } from '../../../http/work/work.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import type { Finding } from '../../../lib/guardrails/compile-check.ts';
import { type CheckedStage, type Guardrail, isRemote } from '../../../lib/guardrails/definition.ts';
import {
  CheckError,
  type CompiledGuardrail,
  prepareGuardrail,
  type RemoteCheckRunner,
  runGuardrails,
  serverOnly,
  type Verdict,
} from '../../../lib/guardrails/run-guardrails.ts';
import { textPartsOf } from '../../../lib/guardrails/text-parts.ts';

/** A finding of a judge or a webhook, or why there is none. */
type Answer = { readonly finding: Finding } | { readonly error: string };

type Input = {
  readonly guardrails: readonly Guardrail[];
  readonly content: unknown;
  readonly stage: CheckedStage;
  /** Of the judges and webhooks, in the order of the definitions. */
  readonly answers: readonly Answer[];
};

/**
 * Checks a text away from the thread that serves HTTP: a hundred thousand characters take 50 ms a check, and so may a
 * pattern in a short one.
 */
export const checkWork: Work<Input, Verdict> = {
  name: 'guardrails.check',
  async *run({ guardrails, content, stage, answers }) {
    let next = 0;
    const remote: RemoteCheckRunner = async () => {
      const answer = answers[next++];
      if (answer === undefined) throw new Error('a check was not asked');
      if ('error' in answer) throw new CheckError(answer.error);
      return answer.finding;
    };
    yield await runGuardrails(guardrails.map(prepareGuardrail), content, stage, { remote });
  },
};

/** Each large text is in memory several times. */
export const largeChecks: Service<FairGate> = {
  name: 'guardrails.large',
  open: () =>
    createShare('checks of large texts', {
      running: { total: 2, each: 1 },
      waiting: { total: 60, each: 20 },
    }),
};

type Asked = {
  readonly guardrails: readonly CompiledGuardrail[];
  readonly content: unknown;
  readonly stage: CheckedStage;
  readonly remote: RemoteCheckRunner | undefined;
};

/** What `runGuardrails` says, for a large text or slow checks. */
export const checkLarge = (ctx: Ctx, organizationId: string, asked: Asked): Promise<Verdict> =>
  ctx.use(largeChecks).run(organizationId, async () => {
    const { guardrails, content, stage } = asked;
    const answers = await askAll(asked);
    const definitions = guardrails.map(({ guardrail }) => guardrail);
    const running = ctx.workers.start(checkWork, { guardrails: definitions, content, stage, answers });
    try {
      const verdict = await running.next();
      if (verdict === undefined) throw new Error('the check ended without a verdict');
      return verdict;
    } finally {
      running.stop();
    }
  });

function askAll({ guardrails, content, remote }: Asked): Promise<Answer[]> {
  const checks = guardrails.flatMap(({ guardrail }) =>
    guardrail.checks.flatMap((check) => (isRemote(check) ? [{ guardrail, check }] : [])),
  );
  if (checks.length === 0) return Promise.resolve([]);
  if (remote === undefined) return Promise.resolve(checks.map(({ check }) => ({ error: serverOnly(check) })));
  const all = textsOf(content);
  return Promise.all(
    checks.map(async ({ guardrail, check }): Promise<Answer> => {
      if (all === null) return { error: 'there are too many texts' };
      try {
        return { finding: await remote(check, all, guardrail) };
      } catch (error) {
        return { error: error instanceof CheckError ? error.message : 'the check failed' };
      }
    }),
  );
}

/** Null: there are too many. */
function textsOf(content: unknown): string | null {
  try {
    return textPartsOf(content)
      .map(({ text }) => text)
      .join('\n');
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
