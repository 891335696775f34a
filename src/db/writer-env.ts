import type { Connection } from './connection.ts';
import { type Effect, type Effects, openEffects } from './effects.ts';

/** What several kinds of write share on the writing connection, such as sums that are in memory until a commit. */
export type WriterPart<S> = { readonly open: (connection: Connection, env: WriterEnv) => S };

/** What a kind of write finds when it is opened. It lives as long as the connection. */
export type WriterEnv = {
  /** Opens a part for the connection, once: every kind of write gets the same one. */
  share<S>(part: WriterPart<S>): S;
  readonly effects: Effects;
};

export function openWriterEnv(connection: Connection, effects: readonly Effect[]): WriterEnv {
  const opened = new Map<unknown, unknown>();
  const env: WriterEnv = {
    effects: openEffects(connection, effects),
    share<S>(part: WriterPart<S>): S {
      if (!opened.has(part)) opened.set(part, part.open(connection, env));
      return opened.get(part) as S;
    },
  };
  return env;
}
