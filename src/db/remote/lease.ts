import type { Connection, SqlStatement } from '../connection.ts';

/** How long a lease lasts after it was renewed. */
export const LEASE_MS = 15_000;

/** The server's clock, so that those of the processes do not matter. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Who has the lease: the name to show, and in how many milliseconds it ends. */
export type LeaseHolder = { readonly name: string; readonly endsInMs: number };

/** The table is not one of the product's: it exists only on servers, before the migrations. */
export const LEASE_TABLE = `CREATE TABLE IF NOT EXISTS server_lease (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  holder TEXT NOT NULL,
  name TEXT NOT NULL,
  ends_at INTEGER NOT NULL
)`;

/** One row if `holder` is from now on the only process that writes, none if another one is. */
export const takeStatement = ({
  holder,
  name,
}: {
  readonly holder: string;
  readonly name: string;
}): SqlStatement => ({
  sql: `INSERT INTO server_lease (id, holder, name, ends_at) VALUES (1, ?, ?, ${NOW} + ${LEASE_MS})
       ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, name = excluded.name, ends_at = excluded.ends_at
       WHERE ends_at < ${NOW} OR holder = excluded.holder
       RETURNING holder`,
  args: [holder, name],
});

/**
 * Makes `holder` the only process that writes, unless another one is.
 * @param name how the process is called in messages, such as `host, process 17`
 * @returns null, or who holds the lease
 */
export function takeLease(
  connection: Connection,
  of: { readonly holder: string; readonly name: string },
): LeaseHolder | null {
  const { sql, args } = takeStatement(of);
  const taken = connection.prepare(sql).all(args);
  if (taken.length > 0) return null;
  const [row] = connection
    .prepare(`SELECT name, ends_at - ${NOW} AS endsInMs FROM server_lease`)
    .all([]) as LeaseHolder[];
  return row ?? { name: 'another process', endsInMs: 0 };
}

/** Changes one row if the process holds the lease, else none. */
export const renewStatement = (holder: string): SqlStatement => ({
  sql: `UPDATE server_lease SET ends_at = ${NOW} + ${LEASE_MS} WHERE holder = ?`,
  args: [holder],
});

export const releaseStatement = (holder: string): SqlStatement => ({
  sql: 'UPDATE server_lease SET ends_at = 0 WHERE holder = ?',
  args: [holder],
});

/** Fails if another process took over the lease: a batch of statements does not fail because no row was changed. */
export const fenceStatement = (holder: string): SqlStatement => ({
  sql: 'UPDATE server_lease SET holder = CASE WHEN holder = ? THEN holder END WHERE id = 1',
  args: [holder],
});
