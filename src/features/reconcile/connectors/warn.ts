import { and, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { operatorOrganization } from '../../../core/tenancy/index.ts';
import { newId } from '../../../db/new-id.ts';
import { driftWarnings } from '../table.ts';
import { dayText, readDrift } from './drift.ts';
import type { Days } from './figures.ts';
import { findThreshold } from './queries.ts';
import type { ConnectorSetting } from './settings.ts';

/** Warnings of one fetch, the largest differences first. */
const MAX_WARNINGS = 200;

type About = { readonly organizationId: string; readonly days: Days };

/**
 * Notes each settled day and model whose difference reaches the threshold, once, and clears those that agree again.
 * @returns how many are new
 */
export async function warnOfDrift(
  ctx: Ctx,
  setting: ConnectorSetting,
  { organizationId, days }: About,
): Promise<number> {
  const organization = operatorOrganization(organizationId);
  const threshold = await findThreshold(ctx, organizationId);
  const { lines } = await readDrift(ctx, setting, { organization, days, threshold });
  const now = ctx.now();
  const over = lines.filter((line) => line.over);
  await clear(ctx, setting.id, {
    ...{ organizationId, days },
    over: new Set(over.map(({ day, model }) => `${day} ${model}`)),
  });
  if (over.length === 0) return 0;
  const written = await ctx.db.sql
    .insert(driftWarnings)
    .values(
      over.slice(0, MAX_WARNINGS).map(({ day, model, providerUsd, ledgerUsd }) => ({
        ...{ id: newId('dwn', now), organizationId, connector: setting.id, day, model },
        providerNano: Math.round((providerUsd ?? 0) * 1e9),
        ledgerNano: Math.round((ledgerUsd ?? 0) * 1e9),
        warnedAt: new Date(now),
      })),
    )
    // One that was cleared is warned of again.
    .onConflictDoUpdate({
      target: [
        driftWarnings.organizationId,
        ...([driftWarnings.connector, driftWarnings.day, driftWarnings.model] as const),
      ],
      set: {
        ...{ clearedAt: null, warnedAt: new Date(now) },
        ...{ providerNano: sql`excluded.provider_nano`, ledgerNano: sql`excluded.ledger_nano` },
      },
      setWhere: isNotNull(driftWarnings.clearedAt),
    })
    .returning({ day: driftWarnings.day, model: driftWarnings.model });
  for (const { day, model } of written)
    ctx.log.warn({ connector: setting.id, day, model }, 'the ledger differs from the provider');
  return written.length;
}

/** Marks open warnings of these days that no longer hold. */
async function clear(
  ctx: Ctx,
  connector: string,
  { organizationId, days, over }: About & { readonly over: ReadonlySet<string> },
): Promise<void> {
  const open = await ctx.db.sql
    .select({ id: driftWarnings.id, day: driftWarnings.day, model: driftWarnings.model })
    .from(driftWarnings)
    .where(
      and(
        eq(driftWarnings.organizationId, organizationId),
        eq(driftWarnings.connector, connector),
        isNull(driftWarnings.clearedAt),
        gte(driftWarnings.day, dayText(days.from)),
        lt(driftWarnings.day, dayText(days.to)),
      ),
    );
  const past = open.filter(({ day, model }) => !over.has(`${day} ${model}`)).map(({ id }) => id);
  if (past.length === 0) return;
  await ctx.db.sql
    .update(driftWarnings)
    .set({ clearedAt: new Date(ctx.now()) })
    .where(inArray(driftWarnings.id, past));
}
