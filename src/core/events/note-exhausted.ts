import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { quotaWarned } from './quota-warned.ts';

const noted = new WeakMap<Ctx, Set<string>>();
const MAX_NOTED = 10_000;

/**
 * Records that an organization's month is used up, once, when a batch was refused: the refusal itself was
 * rolled back. Nobody waits for it.
 */
export function noteExhausted(
  ctx: Ctx,
  { organizationId, month, quota }: { organizationId: string; month: string; quota: number },
): void {
  const known = noted.get(ctx) ?? new Set<string>();
  noted.set(ctx, known);
  const key = `${organizationId} ${month} ${quota}`;
  if (known.has(key)) return;
  if (known.size >= MAX_NOTED) known.clear();
  known.add(key);
  const insert = sql`INSERT INTO quota_warnings (organization_id, month, threshold, quota, at)
    VALUES (${organizationId}, ${month}, 100, ${quota}, ${ctx.now()}) ON CONFLICT DO NOTHING`;
  ctx.db.sql.run(insert).then(
    () => ctx.emit(quotaWarned),
    (error: unknown) => {
      known.delete(key);
      ctx.log.debug({ err: error, organizationId }, 'an exhausted quota was not noted');
    },
  );
}
