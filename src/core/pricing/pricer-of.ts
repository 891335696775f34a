import { desc, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Ctx, listService, type Service } from '../../context.ts';
import { listen, type Module } from '../../module.ts';
import { BUILT_IN, type Catalogue } from './catalogue.ts';
import { createPricer, type Pricer } from './price-call.ts';
import { toCatalogue, toOverride } from './price-rows.ts';
import { pricesChanged } from './prices-changed.ts';
import { priceCatalogues, prices } from './table.ts';

/** What an open app remembers of its prices until they change. */
type Book = {
  catalogue: Promise<Catalogue> | null;
  /** For organizations without prices of their own: one memory for all. */
  plain: Promise<Pricer> | null;
  readonly byOrganization: LRUCache<string, Promise<Pricer>>;
};

const MAX_ORGANIZATIONS = 1_000;
const emptyBook = (): Book => ({
  catalogue: null,
  plain: null,
  byOrganization: new LRUCache({ max: MAX_ORGANIZATIONS }),
});

const book: Service<{ current: Book }> = { name: 'pricing', open: () => ({ current: emptyBook() }) };

export const pricingModule: Module = {
  name: 'pricing',
  tables: [
    { name: 'prices', scope: 'organization', by: 'organization_id', key: ['id'], readable: true },
    { name: 'price_catalogues', scope: 'public', key: ['id'], readable: true },
    { name: 'price_changes', scope: 'public', key: ['id'], readable: true },
  ],
  services: [listService(book)],
  on: [
    listen(pricesChanged, (ctx) => {
      ctx.use(book).current = emptyBook();
    }),
  ],
};

const bookOf = (ctx: Ctx): Book => ctx.use(book).current;

/**
 * The pricer of an organization. New prices apply to every call that asks for it after the change: `pricesChanged`
 * clears the cache.
 */
export function pricerOf(ctx: Ctx, organizationId: string): Promise<Pricer> {
  const book = bookOf(ctx);
  const known = book.byOrganization.get(organizationId);
  if (known !== undefined) return known;
  const made = loadPricer(ctx, book, organizationId);
  book.byOrganization.set(organizationId, made);
  // A failed read is not cached.
  made.catch(() => book.byOrganization.delete(organizationId));
  return made;
}

/** The catalogue in force. */
export function catalogueOf(ctx: Ctx): Promise<Catalogue> {
  const book = bookOf(ctx);
  book.catalogue ??= loadCatalogue(ctx, book);
  return book.catalogue;
}

async function loadPricer(ctx: Ctx, book: Book, organizationId: string): Promise<Pricer> {
  const [catalogue, rows] = await Promise.all([
    catalogueOf(ctx),
    ctx.db.sql.select().from(prices).where(eq(prices.organizationId, organizationId)),
  ]);
  if (rows.length > 0) return createPricer(catalogue, rows.map(toOverride));
  book.plain ??= Promise.resolve(createPricer(catalogue));
  return book.plain;
}

async function loadCatalogue(ctx: Ctx, book: Book): Promise<Catalogue> {
  try {
    const [row] = await ctx.db.sql.select().from(priceCatalogues).orderBy(desc(priceCatalogues.id)).limit(1);
    return row === undefined ? BUILT_IN : toCatalogue({ ...row, takenAt: row.takenAt.getTime() });
  } catch (error) {
    book.catalogue = null;
    throw error;
  }
}
