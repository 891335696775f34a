import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { AppError, badRequest } from '../../errors.ts';
import { formatInstant, monthKey, startOfNextMonth } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { noteAttempt, type Once } from './ask/kept-answers.ts';
import { modelsOf } from './models-of.ts';
import { modelCalls, modelMonths } from './table.ts';

/** A call to be made. Amounts in nano-dollars. */
export type Reservation = {
  /** Id of its event. */
  readonly id: string;
  readonly scope: ProjectScope;
  readonly actor: Actor;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The most that it can cost; null if its price is unknown. */
  readonly maxNano: number | null;
  /** What the audit log shows. */
  readonly note: { readonly action: string; readonly after: object };
  /** Fields of its event, without content. */
  readonly event: Readonly<Record<string, unknown>>;
  /** Of a call that is made once per key. */
  readonly once: Once | null;
};

/** The monthly cap in nano-dollars; null without one. */
export const capOf = ({ AI_MONTHLY_USD }: Ctx['config']): number | null =>
  AI_MONTHLY_USD === undefined ? null : Math.round(AI_MONTHLY_USD * 1e9);

/**
 * Notes that a call begins and reserves the most that it can cost, if the monthly cap has room for it. That is decided in
 * one statement of the writer, so parallel calls cannot exceed the cap together.
 * @throws AppError 429 if the cap has no room, 400 if there is a cap and the price is unknown
 */
export async function reserveCall(ctx: Ctx, call: Reservation): Promise<void> {
  const { id, scope, actor, startedAt, maxNano, note, event, once } = call;
  const { organizationId, projectId } = scope;
  const cap = capOf(ctx.config);
  if (cap !== null && maxNano === null)
    throw badRequest(
      'The price of this model is not known, so the monthly cap cannot be kept. Set a price for it under Prices',
    );
  const month = monthKey(startedAt);
  const reserved = maxNano ?? 0;
  const spent = sql`(SELECT coalesce(sum(spent_nano), 0) FROM model_months WHERE organization_id = ${organizationId} AND month = ${month})`;
  const running = sql`(SELECT coalesce(sum(reserved_nano), 0) FROM model_calls WHERE organization_id = ${organizationId} AND month = ${month})`;
  const row = sql`SELECT ${id}, ${organizationId}, ${projectId}, ${month}, ${reserved}, ${startedAt}, ${modelsOf(ctx).process}, ${JSON.stringify(event)}`;
  const condition = cap === null ? sql`` : sql` WHERE ${spent} + ${running} + ${reserved} <= ${cap}`;
  const insert = ctx.db.sql.insert(modelCalls).select(sql`${row}${condition}`);
  const [made = 0] = await commitChange(ctx, actor, {
    statements: once === null ? [insert] : [insert, noteAttempt(ctx, { id, scope, startedAt, once })],
    audit: actor.kind === 'system' ? [] : [{ ...note, organizationId, projectId }],
  });
  if (made === 0) throw await overCap(ctx, organizationId, { cap: cap ?? 0, reserved, startedAt });
}

type Over = { readonly cap: number; readonly reserved: number; readonly startedAt: number };

async function overCap(
  ctx: Ctx,
  organizationId: string,
  { cap, reserved, startedAt }: Over,
): Promise<AppError> {
  const { spentNano, reservedNano } = await readMonth(ctx, organizationId, startedAt);
  const ends = startOfNextMonth(startedAt);
  const seconds = Math.max(1, Math.ceil((ends - ctx.now()) / 1_000));
  const usd = (nano: number): string => `$${(nano / 1e9).toFixed(nano < 1e7 ? 6 : 2)}`;
  return new AppError(
    429,
    `This call can cost ${usd(reserved)}, but of the monthly cap of ${usd(cap)} are ${usd(spentNano)} spent and ${usd(reservedNano)} reserved by running calls. Lower maxOutputTokens, or wait until ${formatInstant(ends)}`,
    { headers: { 'Retry-After': String(reservedNano > 0 && spentNano + reserved <= cap ? 5 : seconds) } },
  );
}

/** What the server's own calls cost an organization in the month of an instant, and what running ones can cost. */
export async function readMonth(
  ctx: Ctx,
  organizationId: string,
  at: number,
): Promise<{ spentNano: number; reservedNano: number }> {
  const month = monthKey(at);
  const [spent, running] = await Promise.all([
    ctx.db.sql
      .select({ nano: modelMonths.spentNano })
      .from(modelMonths)
      .where(and(eq(modelMonths.organizationId, organizationId), eq(modelMonths.month, month))),
    ctx.db.sql
      .select({ nano: sql<number>`coalesce(sum(${modelCalls.reservedNano}), 0)` })
      .from(modelCalls)
      .where(and(eq(modelCalls.organizationId, organizationId), eq(modelCalls.month, month))),
  ]);
  return { spentNano: spent[0]?.nano ?? 0, reservedNano: Number(running[0]?.nano ?? 0) };
}
