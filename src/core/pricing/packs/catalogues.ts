import { and, desc, eq, lte } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { conflict } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { commitChange, INSTALLATION, toAuditActor } from '../../audit/index.ts';
import { pricesChanged } from '../prices-changed.ts';
import { catalogueSubject } from '../subject.ts';
import { priceCatalogues, priceChanges } from '../table.ts';
import type { CatalogueChange, PastChange, RateChange } from './contract.ts';

/** Catalogues that are kept, the one in force included: each can be put in force again. */
const KEPT = 12;
/** Catalogues whose changes are kept. */
const KEPT_CHANGES = 400;
/** Rows of an INSERT: SQLite binds at most 32,766 values. */
const ROWS = 500;

/** A catalogue that was put in force. The first of a list is the one in force. */
export type KeptCatalogue = {
  readonly id: number;
  readonly version: string;
  readonly date: string | null;
  readonly source: string;
  readonly sha256: string;
  readonly takenAt: string;
  /** As the audit log names actors; null in older rows. */
  readonly takenBy: string | null;
  readonly keyId: string | null;
};

/** The catalogues that are kept, newest first. */
export async function listCatalogues(ctx: Ctx): Promise<KeptCatalogue[]> {
  const { id, version, date, source, sha256, takenAt, takenBy, keyId } = priceCatalogues;
  const rows = await ctx.db.sql
    .select({ id, version, date, source, sha256, takenAt, takenBy, keyId })
    .from(priceCatalogues)
    .orderBy(desc(id));
  return rows.map((row) => ({
    ...row,
    version: row.version ?? `genai-prices (${row.sha256.slice(0, 8)})`,
    takenAt: formatInstant(row.takenAt.getTime()),
  }));
}

/** The stored form of a kept catalogue; null if there is none of this id. */
export async function findCatalogue(
  ctx: Ctx,
  id: number,
): Promise<typeof priceCatalogues.$inferSelect | null> {
  const [row] = await ctx.db.sql.select().from(priceCatalogues).where(eq(priceCatalogues.id, id));
  return row ?? null;
}

type NewCatalogue = Pick<
  typeof priceCatalogues.$inferInsert,
  'source' | 'sha256' | 'json' | 'version' | 'date'
> & {
  readonly version: string;
  readonly keyId: string | null;
};

/**
 * Puts a catalogue in force, with what it changes and its audit entry, and drops the oldest.
 * @throws AppError 409 if another one was put in force at the same time
 */
export async function putInForce(
  ctx: Ctx,
  actor: Actor,
  { row, changes }: { readonly row: NewCatalogue; readonly changes: readonly CatalogueChange[] },
): Promise<void> {
  const [newest] = await listCatalogues(ctx);
  const id = (newest?.id ?? 0) + 1;
  const at = new Date(ctx.now());
  const { sql } = ctx.db;
  const rows = changes.map((change) => ({ ...change, catalogueId: id, at, version: row.version }));
  const statements: BatchItem<'sqlite'>[] = [
    sql.insert(priceCatalogues).values({ ...row, id, takenAt: at, takenBy: toAuditActor(actor).id }),
    sql.delete(priceCatalogues).where(lte(priceCatalogues.id, id - KEPT)),
    sql.delete(priceChanges).where(lte(priceChanges.catalogueId, id - KEPT_CHANGES)),
  ];
  for (let i = 0; i < rows.length; i += ROWS)
    statements.push(sql.insert(priceChanges).values(rows.slice(i, i + ROWS)));
  const subject = { of: catalogueSubject, id: String(id) };
  try {
    await commitChange(ctx, actor, {
      statements,
      audit: [{ action: 'price_catalogue.updated', organizationId: INSTALLATION, subject }],
    });
  } catch (error) {
    if (brokenConstraint(error)?.columns.includes('price_catalogues.id'))
      throw conflict('Another catalogue was put in force at the same time; run the command again');
    throw error;
  }
  ctx.emit(pricesChanged);
}

/** What catalogues changed about a model or an alias, newest first, at most 100. */
export async function listChanges(
  ctx: Ctx,
  { provider, model }: { readonly provider: string; readonly model: string },
): Promise<PastChange[]> {
  const rows = await ctx.db.sql
    .select()
    .from(priceChanges)
    .where(and(eq(priceChanges.provider, provider), eq(priceChanges.model, model)))
    .orderBy(desc(priceChanges.id))
    .limit(100);
  return rows.map(({ at, version, change, rates, note }) => ({
    at: formatInstant(at.getTime()),
    version,
    change,
    rates: rates as RateChange[],
    note,
  }));
}
