import type { Config } from '../../../../config.ts';
import { AppError } from '../../../../errors.ts';
import { addressOf } from '../clickhouse/address.ts';
import { connectEngine } from '../clickhouse/engine/connect.ts';
import type { Engine } from '../clickhouse/engine/engine.ts';
import { type MoveState, openTarget, stateOfTarget, type Target } from './target.ts';

/** The events that `EVENTS_URL` names, for a move. */
export type EventsAddress = {
  readonly engine: Engine;
  /** Where a move of a ledger into it stands; changes nothing. */
  state(ledger: string): Promise<MoveState>;
  /** Begins the move of a ledger into it, or goes on. */
  open(ledger: string): Promise<Target>;
  close(): Promise<void>;
};

/** How long is waited before a statement is tried again: half a minute in all. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Connects to the events that the settings name. A move reads as the user who writes. All of its statements may be
 * repeated, so once the server has answered, a short absence of it is waited for.
 */
export function openEventsAddress(config: Config): EventsAddress {
  const address = addressOf(config);
  if (address === null) throw new Error('EVENTS_URL is not set');
  const connected = connectEngine({ ...address, reader: null });
  let hasAnswered = false;
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await work();
        hasAnswered = true;
        return answer;
      } catch (error) {
        const pause = PAUSES_MS[tries];
        if (!(error instanceof AppError)) throw explained(error);
        if (error.status !== 503 || !hasAnswered || pause === undefined) throw error;
        await Bun.sleep(pause);
      }
    }
  };
  const engine: Engine = {
    read: (...given) => attempt(() => connected.read(...given)),
    run: (...given) => attempt(() => connected.run(...given)),
    insert: (...given) => attempt(() => connected.insert(...given)),
    close: () => connected.close(),
  };
  return {
    engine,
    state: (ledger) => stateOfTarget(engine, ledger),
    open: (ledger) => openTarget(engine, ledger),
    close: () => connected.close(),
  };
}

/** Codes of ClickHouse for what its operator has to mend. */
const REFUSALS: Readonly<Record<string, string>> = {
  '81': 'ClickHouse has no database of that name; create it first',
  '192': 'ClickHouse does not know that user',
  '193': 'ClickHouse refused the password',
  '194': 'ClickHouse requires a password',
  '243': 'ClickHouse has no disk space left',
  '497': 'The user may not do this in that ClickHouse database; grant it all rights there',
  '516': 'ClickHouse refused the user or the password',
};

/** An error of ClickHouse as one that says what to do. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^\d+$/.test(code)) return error;
  const meaning = REFUSALS[code];
  if (meaning !== undefined) return new AppError(400, meaning, { cause: error });
  const [said = ''] = (error as Error).message.split('\n');
  return new AppError(500, `ClickHouse answered with error ${code}: ${said.slice(0, 300)}`, { cause: error });
}
