import type { Connection } from './connection.ts';
import { type Effect, type Effects, openEffects } from './effects.ts';

/** State shared by several write operations on the writing connection, such as in-memory sums until a commit. */
export type WriterPart<S> = { readonly open: (connection: Connection, env: WriterEnv) => S };

/** Environment of a write operation. It lives as long as the connection. */
export type WriterEnv = {
  /** Opens a part once per connection; every write operation gets the same one. */
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
