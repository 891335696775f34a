import type { Ctx, Service } from '../../../context.ts';
import { createShare } from '../../../http/share.ts';
import type { Work } from '../../../http/work/work.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import type { Checked } from '../../../lib/simulations/checks/compile-check.ts';
import { verdictsOf } from '../../../lib/simulations/checks/run-checks.ts';
import type { Check, Verdict } from '../../../lib/simulations/definition.ts';

type Given = { readonly checks: readonly Check[]; readonly checked: Checked };

/** Checks an answer away from the thread that serves HTTP: a hundred patterns of a tenant may take 50 ms each. */
export const checkAnswerWork: Work<Given, Verdict[]> = {
  name: 'simulations.check',
  *run({ checks, checked }) {
    yield* verdictsOf(checks, checked);
  },
};

export const checkShare: Service<FairGate> = {
  name: 'simulations.checks',
  open: () =>
    createShare('simulations', {
      running: { total: 2, each: 1 },
      // The conversations that wait are as many as the runs have at once.
      waiting: { total: Number.POSITIVE_INFINITY, each: Number.POSITIVE_INFINITY },
    }),
};

type Checking = Given & { readonly organizationId: string; readonly signal: AbortSignal };

/** What `verdictsOf` says, one answer of an organization at a time. @throws the signal's reason */
export async function checkElsewhere(
  ctx: Ctx,
  { organizationId, signal, ...given }: Checking,
): Promise<Verdict[]> {
  const leave = await ctx.use(checkShare).enter(organizationId, signal);
  const { toolCalls, text, latencyMs, costUsd, said } = given.checked;
  const checked = { toolCalls, text, latencyMs, costUsd, said };
  const running = ctx.workers.start(checkAnswerWork, { checks: given.checks, checked });
  try {
    const verdicts: Verdict[] = [];
    for (let found = await running.next(); found !== undefined; found = await running.next()) {
      verdicts.push(...found);
      signal.throwIfAborted();
    }
    return verdicts;
  } finally {
    running.stop();
    leave();
  }
}
