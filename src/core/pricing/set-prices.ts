import { and, eq, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { type AppError, conflict } from '../../errors.ts';
import { formatInstant, parseInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { type AuditNote, commitChange } from '../audit/index.ts';
import { MAX_PRICES, type PriceInput, type PriceRow } from './contract.ts';
import { findPrice, listPrices } from './prices.ts';
import { pricesChanged } from './prices-changed.ts';
import { priceSubject } from './subject.ts';
import { prices } from './table.ts';

/** What is to be written: whose price, and which one it takes the place of. */
export type PriceWrite = {
  readonly organizationId: string;
  readonly input: PriceInput;
  /** The price that is changed; null for a new one. */
  readonly id: string | null;
};

const time = (text: string | null | undefined): Date | null => {
  const ms = typeof text === 'string' ? parseInstant(text) : null;
  return ms === null ? null : new Date(ms);
};

const valuesOf = ({ input }: PriceWrite) => ({
  provider: input.provider ?? null,
  match: input.match,
  model: input.model,
  rates: input.rates,
  tiers: input.tiers,
  serviceTier: input.serviceTier ?? null,
  effectiveFrom: time(input.effectiveFrom),
  effectiveUntil: time(input.effectiveUntil),
  note: input.note ?? null,
});

/** What tells prices apart: two of the same may not hold at the same time. */
type Named = Pick<PriceRow, 'provider' | 'match' | 'model' | 'serviceTier'>;
export const nameOf = ({ provider, match, model, serviceTier }: Named): string =>
  JSON.stringify([provider, match, model, serviceTier].map((part) => part?.toLowerCase() ?? null));

/** Writes one price: see `setPrices`. */
export async function setPrice(ctx: Ctx, actor: Actor, write: PriceWrite): Promise<PriceRow> {
  const [made] = await setPrices(ctx, actor, [write]);
  if (made === undefined) throw new Error('the price that was written is not there');
  return made;
}

/**
 * Writes prices of one organization, all or none, and puts them in force at once.
 * @returns the prices as they are now, in the same order
 * @throws AppError 404 for an id that is not the organization's, 409 where two would hold at once
 */
export async function setPrices(ctx: Ctx, actor: Actor, writes: readonly PriceWrite[]): Promise<PriceRow[]> {
  for (let attempt = 1; ; attempt++) {
    const made = await tryPrices(ctx, actor, writes);
    if (made !== null) return made;
    if (attempt === ATTEMPTS) throw conflict('Other prices were written at the same time; try again');
  }
}

const ATTEMPTS = 3;

/** Null if others were added or changed since the prices were read: these may hold at the same time. */
async function tryPrices(ctx: Ctx, actor: Actor, writes: readonly PriceWrite[]): Promise<PriceRow[] | null> {
  const [first] = writes;
  if (first === undefined) return [];
  const { organizationId } = first;
  const known = await listPrices(ctx, organizationId);
  refuseOverlaps(known, writes);
  const newest = Math.max(0, ...known.map(({ updatedAt }) => parseInstant(updatedAt) ?? 0));
  const now = new Date(ctx.now());
  const made = writes.map((write) => ({ ...write, id: write.id ?? newId('prc', now.getTime()) }));
  const ids = JSON.stringify(made.map(({ id }) => id));
  const isAsRead = (added: number) =>
    sql`(SELECT count(*) = ${known.length + added} AND NOT ifnull(max(updated_at > ${newest} AND id NOT IN (SELECT value FROM json_each(${ids}))), 0)
      FROM prices WHERE organization_id = ${organizationId})`;
  // Null, which no price can have as its id, if they are not as they were read.
  const idOf = (i: number) => {
    const added = writes.slice(0, i).filter(({ id }) => id === null).length;
    return sql<string>`(SELECT ${made[i]?.id} WHERE ${isAsRead(added)})`;
  };
  const statements: BatchItem<'sqlite'>[] = made.map((write, i) =>
    writes[i]?.id === null
      ? ctx.db.sql.insert(prices).values({
          id: idOf(i),
          organizationId,
          createdAt: now,
          updatedAt: now,
          ...valuesOf(write),
        })
      : ctx.db.sql
          .update(prices)
          .set({ updatedAt: now, ...valuesOf(write) })
          .where(and(eq(prices.id, write.id), eq(prices.organizationId, organizationId))),
  );
  const audit: AuditNote[] = made.map(({ id }, i) => ({
    action: writes[i]?.id === null ? 'price.created' : 'price.updated',
    organizationId,
    subject: { of: priceSubject, id },
  }));
  try {
    await commitChange(ctx, actor, { statements, audit });
  } catch (error) {
    if (brokenConstraint(error)?.columns.includes('prices.id')) return null;
    throw error;
  }
  ctx.emit(pricesChanged);
  return Promise.all(made.map(({ id }) => findPrice(ctx, organizationId, id)));
}

/**
 * A new price, and the one of the same name that applies when it starts, which ends then. Without a start, or without
 * such a price, only the new one.
 */
export function endingPrevious(known: readonly PriceRow[], write: PriceWrite): PriceWrite[] {
  const { input } = write;
  const start = time(input.effectiveFrom)?.getTime();
  if (write.id !== null || start === undefined) return [write];
  const own = toRange(
    { ...input, provider: input.provider ?? null, serviceTier: input.serviceTier ?? null },
    '',
  );
  const previous = known.find((row) => {
    const range = toRange(row, row.id);
    return range.name === own.name && range.from < start && start < range.until;
  });
  if (previous === undefined) return [write];
  const { id, organizationId, createdAt: _, updatedAt: __, ...kept } = previous;
  return [{ organizationId, id, input: { ...kept, effectiveUntil: input.effectiveFrom } }, write];
}

/** Deletes a price; events that it priced keep what they cost. Throws AppError 404. */
export async function removePrice(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await findPrice(ctx, organizationId, id);
  const gone = ctx.db.sql
    .delete(prices)
    .where(and(eq(prices.id, id), eq(prices.organizationId, organizationId)));
  const subject = { of: priceSubject, id };
  await commitChange(ctx, actor, {
    statements: [gone],
    audit: [{ action: 'price.deleted', organizationId, subject }],
  });
  ctx.emit(pricesChanged);
}

const tooMany = (): AppError =>
  conflict(
    `An organization has at most ${MAX_PRICES} prices; remove some, or use a pattern for several models`,
  );

/** When a price applies, and by its name what it is compared with. */
type Range = {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  readonly until: number;
};

function refuseOverlaps(known: readonly PriceRow[], writes: readonly PriceWrite[]): void {
  const changed = new Set(writes.map(({ id }) => id));
  const ranges: Range[] = known.filter(({ id }) => !changed.has(id)).map((row) => toRange(row, row.id));
  // An organization with more prices from before the limit can still change and remove them.
  const isMore = writes.some(({ id }) => id === null);
  if (isMore && ranges.length + writes.length > MAX_PRICES) throw tooMany();
  for (const write of writes) {
    if (write.id !== null && !known.some(({ id }) => id === write.id))
      throw conflict(`There is no price ${write.id} any more`);
    const { input } = write;
    const own = toRange(
      { ...input, provider: input.provider ?? null, serviceTier: input.serviceTier ?? null },
      write.id ?? '',
    );
    const other = ranges.find((one) => one.name === own.name && one.from < own.until && own.from < one.until);
    if (other !== undefined) {
      throw conflict(
        other.id === ''
          ? `Two of these prices for ${input.model} hold at the same time`
          : `The price ${other.id} for ${input.model} holds at the same time; ${mendOf(other, own)}`,
      );
    }
    ranges.push(own);
  }
}

/** What separates two prices: the earlier one ends where the later one begins. */
const mendOf = (other: Range, own: Range): string =>
  other.from > own.from
    ? `change it, or end this one where it begins, at ${formatInstant(other.from)}`
    : 'change it, or end it before this one begins';

const toRange = (
  row: Named & { effectiveFrom?: string | null | undefined; effectiveUntil?: string | null | undefined },
  id: string,
): Range => ({
  id,
  name: nameOf(row),
  from: time(row.effectiveFrom)?.getTime() ?? -Infinity,
  until: time(row.effectiveUntil)?.getTime() ?? Infinity,
});
