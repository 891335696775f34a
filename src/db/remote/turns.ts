import type { SqlResult, SqlStatement } from '../connection.ts';
import { NOW } from './lease.ts';

/** How long a turn lasts after it was taken or renewed. */
const TURN_MS = 6_000;
/** How often it is renewed meanwhile. */
const RENEWALS = 3;
/** How long after the end of a turn that was not given back its process may still be heard of: see `lateMs`. */
const LATE_MS = 65_000;
/** For this long nobody else may take a turn for which a process waits, so that each gets its turn. */
const WANTED_MS = 1_000;

/** Made at the opening: like the lease, it exists only on servers. */
export const TURNS_TABLE = `CREATE TABLE IF NOT EXISTS server_turns (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  seq INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  late_until INTEGER NOT NULL DEFAULT 0,
  wanted TEXT NOT NULL DEFAULT '',
  wanted_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`;

/** Who has a turn, as a statement can check it. */
export type TurnMark = { readonly name: string; readonly holder: string; readonly seq: number };

/** The right to work on something alone, among all processes of a libSQL server. */
export type Turn = TurnMark & {
  /** Whether nobody else had it since this process had it last. */
  readonly isContinued: boolean;
  /** For how long something may still arrive that a process sent which lost its turn. */
  readonly lateMs: number;
  /** Whether it is surely not over: what starts now and is over within a minute is not later than `lateMs` of others. */
  isHeld(): boolean;
};

export type Turns = {
  /** Takes those that are free, of all that are named. They last until they are given back, or the process dies. */
  take(names: readonly string[]): Promise<ReadonlyMap<string, Turn>>;
  /** From now on it is not renewed. To be given back in a transaction with `GIVE_BACK`. */
  end(turns: readonly TurnMark[]): void;
  close(): void;
};

/** For a statement in a transaction of the writer, with name, holder and number: the turn is not over. */
export const HAS_TURN = `EXISTS (SELECT 1 FROM server_turns WHERE name = ? AND holder = ? AND seq = ?)`;
export const GIVE_BACK = `UPDATE server_turns SET holder = '' WHERE name = ? AND holder = ? AND seq = ?`;

const TAKE = `INSERT INTO server_turns (name, holder, seq, ends_at)
  SELECT value, ?1, 1, ${NOW} + ?3 FROM json_each(?2) WHERE true
  ON CONFLICT (name) DO UPDATE SET
    late_until = CASE WHEN holder IN ('', excluded.holder) THEN late_until ELSE ${NOW} + ${LATE_MS} END,
    holder = excluded.holder, seq = seq + 1, ends_at = excluded.ends_at, wanted = '', wanted_until = 0
  WHERE (holder IN ('', excluded.holder) OR ends_at < ${NOW})
    AND (wanted IN ('', excluded.holder) OR wanted_until < ${NOW})
  RETURNING name, seq, late_until - ${NOW}`;
const WANT = `UPDATE server_turns SET wanted = ?1, wanted_until = ${NOW} + ${WANTED_MS}
  WHERE name IN (SELECT value FROM json_each(?2)) AND (wanted IN ('', ?1) OR wanted_until < ${NOW})`;
const RENEW = `UPDATE server_turns SET ends_at = ${NOW} + ?3
  WHERE holder = ?1 AND name IN (SELECT value FROM json_each(?2)) RETURNING name, seq`;

type Held = { readonly turn: Turn; until: number };

/** @param run one statement, in a transaction of its own */
export function openTurns(
  holder: string,
  run: (statement: SqlStatement) => Promise<SqlResult>,
  { turnMs = TURN_MS } = {},
): Turns {
  const held = new Map<string, Held>();
  /** The number of the last turn of this process by name. */
  const last = new Map<string, number>();
  const named = (names: readonly string[]): SqlStatement['args'] => [holder, JSON.stringify(names)];

  const timer = setInterval(() => void renew().catch(() => undefined), turnMs / RENEWALS);
  timer.unref();

  async function renew(): Promise<void> {
    if (held.size === 0) return;
    const asked = performance.now();
    const { rows } = await run({ sql: RENEW, args: [...named([...held.keys()]), turnMs] });
    for (const [name, seq] of rows) {
      const own = held.get(String(name));
      if (own !== undefined && own.turn.seq === Number(seq)) own.until = asked + turnMs;
    }
  }

  return {
    async take(names) {
      const asked = performance.now();
      const { rows } = await run({ sql: TAKE, args: [...named(names), turnMs] });
      const taken = new Map<string, Turn>();
      for (const [given, number, late] of rows) {
        const [name, seq] = [String(given), Number(number)];
        const own: Held = {
          turn: {
            ...{ name, holder, seq },
            isContinued: last.get(name) === seq - 1,
            lateMs: Math.max(0, Number(late)),
            isHeld: () => performance.now() < own.until,
          },
          until: asked + turnMs,
        };
        held.set(name, own);
        last.set(name, seq);
        taken.set(name, own.turn);
      }
      const others = names.filter((name) => !taken.has(name));
      if (others.length > 0) await run({ sql: WANT, args: named(others) });
      return taken;
    },
    end(turns) {
      for (const { name, seq } of turns) if (held.get(name)?.turn.seq === seq) held.delete(name);
    },
    close: () => clearInterval(timer),
  };
}

/** What of a turn goes with a write. */
export const markOf = (turn: TurnMark | null): TurnMark | null =>
  turn === null ? null : { name: turn.name, holder: turn.holder, seq: turn.seq };
