import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { Limits } from './http/limits.ts';

/** What happened: things changed of which caches are kept, or a row was written that waits for somebody. */
export type Signal =
  | 'keys.changed'
  | 'projects.changed'
  | 'organizations.changed'
  | 'prices.changed'
  | 'quota.warned';

export type Signals = {
  emit(signal: Signal): void;
  on(signal: Signal, listener: () => void): void;
};

/** What every handler, action and job is given: nothing in the product is global. */
export type Ctx = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  readonly signals: Signals;
  /** Signs sessions; at least 32 characters. */
  readonly secret: string;
  /** Passwords and keys are hashed so cheaply that it protects nothing: for tests only. */
  readonly weakHashes: boolean;
  /** Requests that are accepted in a stretch of time. */
  readonly limits: Limits;
  /** Epoch milliseconds. A test sets it. */
  now(): number;
};

/** A plain in-process emitter: listeners run at once, in the order in which they were added. */
export function createSignals(): Signals {
  const listeners = new Map<Signal, (() => void)[]>();
  return {
    emit: (signal) => {
      for (const listener of listeners.get(signal) ?? []) listener();
    },
    on: (signal, listener) => {
      listeners.set(signal, [...(listeners.get(signal) ?? []), listener]);
    },
  };
}
