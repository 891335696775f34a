import type { BatchItem } from 'drizzle-orm/batch';

/** Drizzle statements that `db.sql.batch` runs as one transaction: all or none. */
export type Statements = [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]];
