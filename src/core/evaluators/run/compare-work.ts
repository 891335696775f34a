import type { Ctx, Service } from '../../../context.ts';
import { createShare } from '../../../http/share.ts';
import type { Work } from '../../../http/work/work.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import type { EvaluatorRules } from '../config/contract.ts';
import { type Compared, compare } from './compare.ts';
import type { Judgement } from './judgement.ts';
import type { Sample } from './sample.ts';

type Given = { readonly rules: Extract<EvaluatorRules, { kind: Compared }>; readonly sample: Sample };

/** Compares away from the thread that serves HTTP: a pattern or a schema of a tenant may take 200 ms. */
export const compareWork: Work<Given, Judgement> = {
  name: 'evaluators.compare',
  *run({ rules, sample }) {
    yield compare(rules, sample);
  },
};

export const compareShare: Service<FairGate> = {
  name: 'evaluators.comparisons',
  open: () =>
    createShare('evaluations', { running: { total: 2, each: 1 }, waiting: { total: 1_000, each: 200 } }),
};

/** What `compare` says. Throws AppError 429 or 503 if too many wait. */
export const compareElsewhere = (ctx: Ctx, organizationId: string, given: Given): Promise<Judgement> =>
  ctx.use(compareShare).run(organizationId, async () => {
    const running = ctx.workers.start(compareWork, given);
    try {
      const judgement = await running.next();
      if (judgement === undefined) throw new Error('the comparison ended without a judgement');
      return judgement;
    } finally {
      running.stop();
    }
  });
