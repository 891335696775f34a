import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Ctx, type DurableEvent, defineEvent } from '../../context.ts';
import type { Connection } from '../../db/connection.ts';
import { outbox } from './table.ts';

/**
 * Emit this after committing an outbox row, so that the followers are called immediately; otherwise they are called
 * within a minute.
 */
export const outboxWritten = defineEvent('outbox.written', 'leader');

/**
 * The outbox row of a durable event, as a statement for `commitChange` or `batch`, so that it commits together with
 * its cause.
 * @param when an SQL condition; without it, the row is always written
 */
export function outboxStatement<P extends object>(
  ctx: Ctx,
  event: DurableEvent<P>,
  payload: P,
  when?: SQL,
): BatchItem<'sqlite'> {
  const at = new Date(ctx.now());
  const orderKey = orderKeyOf(event, payload);
  if (when !== undefined)
    return ctx.db.sql.insert(outbox).select(
      sql`SELECT NULL, ${event.name}, ${JSON.stringify(payload)}, ${orderKey}, ${at.getTime()}, ${at.getTime()}, 0, '[]', NULL, NULL
        WHERE ${when}`,
    );
  return ctx.db.sql.insert(outbox).values({ event: event.name, payload, orderKey, createdAt: at, dueAt: at });
}

/** The event is part of the key, so that events of different kinds never wait for each other. */
const orderKeyOf = <P extends object>({ name, orderKey }: DurableEvent<P>, payload: P): string | null =>
  orderKey === undefined ? null : `${name} ${orderKey(payload)}`;

/** Adds rows to the outbox in the open transaction of the writing connection. */
export type OutboxWriter = {
  /** @param now epoch milliseconds */
  add<P extends object>(event: DurableEvent<P>, payload: P, now: number): void;
};

/** For write operations; use `outboxStatement` for lists of statements. */
export function createOutboxWriter(connection: Connection): OutboxWriter {
  const insert = connection.prepare(
    'INSERT INTO outbox (event, payload, order_key, created_at, due_at) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    add: (event, payload, now) => {
      insert.run([event.name, JSON.stringify(payload), orderKeyOf(event, payload), now, now]);
    },
  };
}
