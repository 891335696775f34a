import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { commitChange, defineSubject } from '../../../core/audit/index.ts';
import { idOrName } from '../../../core/orgs/contract.ts';
import { findOrganization } from '../../../core/orgs/index.ts';
import { nanoOf } from '../../../lib/money-column.ts';
import { type Actor, defineAction } from '../../../module.ts';
import { driftThresholds } from '../table.ts';
import { type Threshold, thresholdSchema } from './contract.ts';

const thresholdSubject = defineSubject(
  'drift_threshold',
  driftThresholds,
  ['percent', 'usdNano'],
  ['organizationId'],
);

/** Sets from which difference on an organization is warned. */
export async function setThreshold(
  ctx: Ctx,
  actor: Actor,
  { organizationId, threshold }: { readonly organizationId: string; readonly threshold: Threshold },
): Promise<Threshold> {
  const { percent, usd } = threshold;
  const values = { percent, usdNano: nanoOf(usd), updatedAt: new Date(ctx.now()) };
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .insert(driftThresholds)
        .values({ organizationId, ...values })
        .onConflictDoUpdate({ target: driftThresholds.organizationId, set: values }),
    ],
    audit: [
      {
        action: 'drift_threshold.updated',
        organizationId,
        subject: { of: thresholdSubject, id: organizationId },
      },
    ],
  });
  return threshold;
}

/** `drift.set-threshold`. */
export const setThresholdAction = defineAction({
  name: 'drift.set-threshold',
  input: z.object({ organization: idOrName, threshold: thresholdSchema }),
  run: async (ctx, { organization, threshold }, actor) =>
    setThreshold(ctx, actor, {
      organizationId: (await findOrganization(ctx, organization)).id,
      threshold,
    }),
});
