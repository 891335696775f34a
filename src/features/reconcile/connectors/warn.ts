import { and, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import {
  type Notification,
  notificationStatement,
  notificationsWritten,
} from '../../../core/deliveries/index.ts';
import { operatorOrganization } from '../../../core/tenancy/index.ts';
import { newId } from '../../../db/new-id.ts';
import { countText, moneyText } from '../../../lib/figures.ts';
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
  const keyOf = ({ day, model }: { day: string; model: string }): string => `${day} ${model}`;
  const open = await settleOpen(ctx, setting.id, {
    ...{ organizationId, days },
    over: new Set(over.map(keyOf)),
  });
  const found = over.filter((line) => !open.has(keyOf(line))).slice(0, MAX_WARNINGS);
  if (found.length === 0) return 0;
  const warnedAt = new Date(now);
  await ctx.db.sql.batch([
    ctx.db.sql
      .insert(driftWarnings)
      .values(
        found.map(({ day, model, providerUsd, ledgerUsd }) => ({
          ...{ id: newId('dwn', now), organizationId, connector: setting.id, day, model },
          providerNano: Math.round((providerUsd ?? 0) * 1e9),
          ledgerNano: Math.round((ledgerUsd ?? 0) * 1e9),
          warnedAt,
        })),
      )
      // One that was cleared is warned of again.
      .onConflictDoUpdate({
        target: [
          driftWarnings.organizationId,
          ...([driftWarnings.connector, driftWarnings.day, driftWarnings.model] as const),
        ],
        set: {
          ...{ clearedAt: null, warnedAt },
          ...{ providerNano: sql`excluded.provider_nano`, ledgerNano: sql`excluded.ledger_nano` },
        },
        setWhere: isNotNull(driftWarnings.clearedAt),
      }),
    notificationStatement(ctx, toNotification(organizationId, setting.id, found)),
  ]);
  ctx.emit(notificationsWritten);
  for (const { day, model } of found)
    ctx.log.warn({ connector: setting.id, day, model }, 'the ledger differs from the provider');
  return found.length;
}

type Found = Pick<
  Awaited<ReturnType<typeof readDrift>>['lines'][number],
  'day' | 'model' | 'providerUsd' | 'ledgerUsd'
>;

/** Differences that the text names. */
const MAX_NAMED = 3;

/** One notification for the differences of one fetch, the largest first. */
function toNotification(organizationId: string, connector: string, found: readonly Found[]): Notification {
  const summary = `${connector}: ${countText(found.length, 'difference')} between the provider and the ledger`;
  const lineOf = ({ day, model, providerUsd, ledgerUsd }: Found): string =>
    `${day} ${model}: provider ${moneyText(providerUsd ?? 0)}, ledger ${moneyText(ledgerUsd ?? 0)}.`;
  return {
    organizationId,
    type: 'reconcile.drift',
    data: {
      connector,
      differences: found.map(({ day, model, providerUsd, ledgerUsd }) => ({
        ...{ day, model, providerUsd, ledgerUsd },
      })),
      summary,
    },
    message: {
      title: summary,
      text: found.slice(0, MAX_NAMED).map(lineOf).join(' ').slice(0, 1_000),
      facts: [{ label: 'Connector', value: connector }],
      severity: 'warning',
      subject: `drift ${organizationId} ${connector}`,
      link: { label: 'Open Spanledger', path: '/' },
    },
  };
}

/** Marks open warnings of these days that no longer hold, and returns those that do. */
async function settleOpen(
  ctx: Ctx,
  connector: string,
  { organizationId, days, over }: About & { readonly over: ReadonlySet<string> },
): Promise<Set<string>> {
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
  if (past.length > 0)
    await ctx.db.sql
      .update(driftWarnings)
      .set({ clearedAt: new Date(ctx.now()) })
      .where(inArray(driftWarnings.id, past));
  return new Set(open.filter(({ id }) => !past.includes(id)).map(({ day, model }) => `${day} ${model}`));
}
