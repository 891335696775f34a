import { conflict } from '../../errors.ts';
import type { SqlResult, SqlValue } from '../connection.ts';
import { MIGRATIONS_TABLE, type Migration } from '../migrate.ts';
import { LEASE_TABLE, NOW, releaseStatement, takeStatement } from './lease.ts';
import { prepareRemote } from './open-remote.ts';
import type { RemotePlace } from './place.ts';
import { openRemoteControl } from './remote-control.ts';
import { TURNS_TABLE } from './turns.ts';

/** Made at the opening: like the lease, it exists only on libSQL servers. */
const LIST_TABLE = `CREATE TABLE IF NOT EXISTS server_list (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  version TEXT NOT NULL,
  changes INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) WITHOUT ROWID`;

/** A server that is not seen for this long is left out of the list. */
const FORGOTTEN_MS = 60_000;
/** And after this its row is removed. */
const REMOVED_MS = 3_600_000;

/** A server, as the others see it. */
export type Listed = {
  readonly name: string;
  readonly address: string;
  readonly version: string;
  readonly isLeader: boolean;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** How long ago it was last seen. */
  readonly seenMsAgo: number;
};

/** Who leads, and what of the database a server must know. */
export type Look = {
  /** Id of the leader; null if its lease is over. */
  readonly leader: string | null;
  /** Its address; null for a process that works alone, such as a command. */
  readonly address: string | null;
  readonly name: string;
  /** Number of changes of what others keep in memory, as the leader counts them. */
  readonly changes: number;
  /** Names of the migrations that are applied, with commas between. */
  readonly migrations: string;
};

/** The servers of a libSQL server. */
export type ServerList = {
  look(): Promise<Look>;
  /** Notes that this server is there, and as the leader how many changes there were. */
  beat(changes: number): Promise<void>;
  /** Makes this server the leader, unless another one is. */
  lead(): Promise<boolean>;
  /** Gives the lease back if this server has it. */
  follow(): Promise<void>;
  list(): Promise<Listed[]>;
  leave(): Promise<void>;
};

type Self = {
  readonly name: string;
  readonly version: string;
  readonly startedAt: number;
  /** Known once it listens. */
  address(): string;
};

/** @throws like `openRemoteDb` if the database cannot be reached */
export function openServerList(place: RemotePlace, self: Self): ServerList {
  const id = place.holder ?? '';
  prepareRemote(place, (connection) =>
    connection.exec([LEASE_TABLE, TURNS_TABLE, LIST_TABLE, MIGRATIONS_TABLE].join(';\n')),
  );
  const control = openRemoteControl(place, () => Promise.reject(conflict('Only the list is written here')));
  const run = (sql: string, args: SqlValue[] = []): Promise<SqlResult> => control.run({ sql, args });
  return {
    async look() {
      const { rows } = await run(LOOK);
      const [leader, name, isOver, address, changes, migrations] = rows[0] ?? [];
      return {
        leader: leader === undefined || leader === null || Number(isOver) === 1 ? null : String(leader),
        name: String(name ?? ''),
        address: address === null || address === undefined ? null : String(address),
        changes: Number(changes ?? 0),
        migrations: String(migrations ?? ''),
      };
    },
    async beat(changes) {
      const { name, version, startedAt } = self;
      await run(BEAT, [id, name, self.address(), version, changes, startedAt]);
    },
    async lead() {
      const { rows } = await control.run(takeStatement({ holder: id, name: self.name }));
      if (rows.length > 0) await run(`DELETE FROM server_list WHERE seen_at < ${NOW} - ${REMOVED_MS}`);
      return rows.length > 0;
    },
    async follow() {
      await control.run(releaseStatement(id));
    },
    async list() {
      const { rows } = await run(LIST);
      return rows.map(([name, address, version, isLeader, startedAt, seen]) => ({
        ...{ name: String(name), address: String(address), version: String(version) },
        ...{ isLeader: Number(isLeader) === 1, startedAt: Number(startedAt), seenMsAgo: Number(seen) },
      }));
    },
    async leave() {
      await control.run(releaseStatement(id)).catch(() => undefined);
      await run('DELETE FROM server_list WHERE id = ?', [id]).catch(() => undefined);
      control.close();
    },
  };
}

const LOOK = `SELECT l.holder, l.name, l.ends_at < ${NOW}, s.address, s.changes,
    (SELECT group_concat(name) FROM (SELECT name FROM migrations ORDER BY name))
  FROM (SELECT 1) LEFT JOIN server_lease l ON l.id = 1 LEFT JOIN server_list s ON s.id = l.holder`;
const BEAT = `INSERT INTO server_list (id, name, address, version, changes, started_at, seen_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ${NOW})
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, address = excluded.address, changes = excluded.changes`;
const LIST = `SELECT s.name, s.address, s.version, l.holder IS NOT NULL, s.started_at, ${NOW} - s.seen_at
  FROM server_list s LEFT JOIN server_lease l ON l.holder = s.id AND l.ends_at >= ${NOW}
  WHERE s.seen_at > ${NOW} - ${FORGOTTEN_MS} ORDER BY s.started_at, s.id`;

export type SchemaState = 'same' | 'older' | 'newer';

/** How the database's schema is, seen from this version. */
export function schemaState({ migrations: applied }: Look, own: readonly Migration[]): SchemaState {
  const known = new Set(own.map(({ name }) => name));
  const names = applied === '' ? [] : applied.split(',');
  if (names.some((name) => !known.has(name))) return 'newer';
  return names.length === own.length ? 'same' : 'older';
}
