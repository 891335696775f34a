import type { Connection } from './connection.ts';

/**
 * A write that commits together with a batch of events or with a change of stored events. `apply` receives the
 * store's outcome. If it throws an AppError, the store rejects the whole batch or change. It runs for every batch, so
 * it prepares its statements in `open`.
 */
export type Effect<P = unknown, O = unknown, R = unknown> = {
  /** `module.verb`. */
  readonly name: string;
  readonly open: (connection: Connection) => {
    apply(payload: P, outcome: O): R;
    /** Drops in-memory state of rows that were rolled back. */
    discard?(): void;
  };
};

/**
 * A call of an effect, as plain data. `rows` is the number of rows it writes (default 0); they count as load of the
 * writer.
 */
export type EffectCall = { readonly effect: string; readonly payload: unknown; readonly rows?: number };

/** The effects, opened on the writing connection. */
export type Effects = {
  /**
   * Runs effects in order.
   * @returns the result of each effect
   * @throws the effect's error; the caller must then roll back
   */
  apply(calls: readonly EffectCall[], outcome: object): unknown[];
  discard(): void;
};

export function openEffects(connection: Connection, listed: readonly Effect[]): Effects {
  const known = new Map(listed.map((effect) => [effect.name, effect]));
  const opened = new Map<string, ReturnType<Effect['open']>>();
  const open = (name: string): ReturnType<Effect['open']> => {
    const one = opened.get(name) ?? known.get(name)?.open(connection);
    if (one === undefined) throw new Error(`no module lists the effect ${name}`);
    opened.set(name, one);
    return one;
  };
  const discard = (): void => {
    for (const effect of opened.values()) effect.discard?.();
  };
  return {
    apply(calls, outcome) {
      try {
        return calls.map(({ effect, payload }) => open(effect).apply(payload, outcome));
      } catch (error) {
        discard();
        throw error;
      }
    },
    discard,
  };
}
