import type { Connection } from './connection.ts';

/**
 * What a module writes together with a batch of events, or with a change of stored ones: both are committed,
 * or neither. `apply` learns what the store did. When it throws an AppError the store refuses the whole batch or
 * change. It runs for every batch, so it prepares its statements in `open`.
 */
export type Effect<P = unknown, O = unknown, R = unknown> = {
  /** `module.verb`. */
  readonly name: string;
  readonly open: (connection: Connection) => {
    apply(payload: P, outcome: O): R;
    /** Forgets what memory holds of rows that were rolled back. */
    discard?(): void;
  };
};

/** An effect to run, as plain data. `rows`: how many rows it writes, 0 unless given; they count as load. */
export type EffectCall = { readonly effect: string; readonly payload: unknown; readonly rows?: number };

/** The effects that are opened on the writing connection. */
export type Effects = {
  /**
   * Runs effects in their order.
   * @returns what each of them returned
   * @throws what an effect throws; the caller has to roll back then
   */
  apply(calls: readonly EffectCall[], outcome: object): unknown[];
  discard(): void;
};

export function openEffects(connection: Connection, listed: readonly Effect[]): Effects {
  const opened = new Map(listed.map((effect) => [effect.name, effect.open(connection)]));
  const discard = (): void => {
    for (const effect of opened.values()) effect.discard?.();
  };
  return {
    apply(calls, outcome) {
      try {
        return calls.map(({ effect, payload }) => {
          const known = opened.get(effect);
          if (known === undefined) throw new Error(`no module lists the effect ${effect}`);
          return known.apply(payload, outcome);
        });
      } catch (error) {
        discard();
        throw error;
      }
    },
    discard,
  };
}
