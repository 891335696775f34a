import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { Followed, Listener, Module } from '../../module.ts';
import { outbox } from './table.ts';

type Row = typeof outbox.$inferSelect;
type DurableListener = Extract<Listener, { delivery: 'durable' }>;

/** A follower of a durable event: a listener and the name of its module. */
export type Follower = { readonly module: string; readonly listener: DurableListener };

/** Result of a delivery round. */
export type Delivered = { readonly delivered: number; readonly failed: number };

/** Attempts before an event is given up; with the delays below, after about 30 hours. */
export const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 6 * HOUR_MS;
/** Delay after a follower returned `later`. */
const LATER_MS = 10 * MINUTE_MS;
/** A follower that takes longer counts as failed; the next attempt may overlap with it. */
const PATIENCE_MS = MINUTE_MS;
const AT_ONCE = 50;
const MAX_ERROR = 500;

/** Delay after a failed attempt in milliseconds, given the number of attempts so far. */
export const pauseAfter = (attempts: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempts - 1));

/** The followers of durable events among the listeners of these modules. */
export const followersOf = (modules: readonly Module[]): Follower[] =>
  modules.flatMap(({ name, on = [] }) =>
    on.flatMap((listener) => (listener.delivery === 'durable' ? [{ module: name, listener }] : [])),
  );

/**
 * Calls the followers of all due events, oldest first; one with a key waits for older ones with that key. An attempt is counted before it begins and each success is
 * recorded. So a crash repeats at most one call, and an event that crashes the process is eventually given up.
 * @throws the signal's reason
 */
export async function deliverDue(
  ctx: Ctx,
  followers: readonly Follower[],
  signal: AbortSignal,
): Promise<Delivered> {
  const total = { delivered: 0, failed: 0 };
  for (;;) {
    const due = and(isNull(outbox.failedAt), lte(outbox.dueAt, new Date(ctx.now())), isFirst);
    const rows = await ctx.db.sql.select().from(outbox).where(due).orderBy(outbox.id).limit(AT_ONCE);
    if (rows.length === 0) return total;
    for (const row of rows) {
      signal.throwIfAborted();
      const own = followers.filter(
        ({ module, listener }) => listener.event === row.event && !row.done.includes(module),
      );
      const outcome = await deliver(ctx, row, own);
      if (outcome !== 'later') total[outcome]++;
    }
  }
}

/** Whether no older event with the same key waits. */
const isFirst = sql`(${outbox.orderKey} IS NULL OR NOT EXISTS (SELECT 1 FROM ${outbox} AS older
  WHERE older.failed_at IS NULL AND older.order_key = ${outbox.orderKey} AND older.id < ${outbox.id}))`;

type Outcome = 'delivered' | 'failed' | 'later';

async function deliver(ctx: Ctx, row: Row, followers: readonly Follower[]): Promise<Outcome> {
  if (row.attempts >= MAX_ATTEMPTS) {
    await giveUp(ctx, row, row.error ?? 'the process ended during the last attempt');
    return 'failed';
  }
  const attempts = row.attempts + 1;
  await update(ctx, row, { attempts, dueAt: new Date(ctx.now() + pauseAfter(attempts)) });
  const { failure, postponed } = await callAll(ctx, { ...row, attempts }, followers);
  if (failure !== null) {
    if (attempts >= MAX_ATTEMPTS) await giveUp(ctx, row, failure);
    else await update(ctx, row, { error: failure });
    return 'failed';
  }
  if (postponed) {
    await update(ctx, row, { attempts: row.attempts, dueAt: new Date(ctx.now() + LATER_MS) });
    return 'later';
  }
  await ctx.db.sql.delete(outbox).where(eq(outbox.id, row.id));
  return 'delivered';
}

/** Calls each follower once and records which succeeded. */
async function callAll(
  ctx: Ctx,
  row: Row,
  followers: readonly Follower[],
): Promise<{ failure: string | null; postponed: boolean }> {
  const { event, id, attempts } = row;
  const done = [...row.done];
  let postponed = false;
  let failure: string | null = null;
  for (const { module, listener } of followers) {
    try {
      if ((await withinPatience(listener.run(ctx, row.payload))) === 'later') postponed = true;
      else {
        done.push(module);
        if (followers.length > 1) await update(ctx, row, { done });
      }
    } catch (error) {
      failure = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
      ctx.log.warn({ err: error, event, outbox: id, module, attempts }, 'a follower failed');
    }
  }
  return { failure, postponed };
}

async function update(ctx: Ctx, { id }: Row, change: Partial<typeof outbox.$inferInsert>): Promise<void> {
  await ctx.db.sql.update(outbox).set(change).where(eq(outbox.id, id));
}

async function giveUp(ctx: Ctx, row: Row, error: string): Promise<void> {
  await update(ctx, row, { failedAt: new Date(ctx.now()), error });
  ctx.log.error(
    { event: row.event, outbox: row.id, error },
    'an event was given up because its followers failed',
  );
}

async function withinPatience(work: Promise<Followed>): Promise<Followed> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the follower took longer than a minute')), PATIENCE_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
