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
  /** What a module opened for this context: the same one each time. */
  use<S>(service: Service<S>): S;
  /** Epoch milliseconds. A test sets it. */
  now(): number;
};

/**
 * Something that lives as long as the context: a cache, a connection, a worker. The module that owns it lists
 * it in its manifest; it is opened when it is first used and closed with the app.
 */
export type Service<S> = {
  readonly name: string;
  readonly open: (ctx: Ctx) => S;
  readonly close?: (service: S) => void | Promise<void>;
};

/** Services of any type, as a manifest lists them. */
export type AnyService = Service<never>;

/** Checks a service's types and forgets them, so that services fit in one list. */
export const listService = <S>(service: Service<S>): AnyService => service as unknown as AnyService;

/** The opened services of one context. */
export type Services = {
  use<S>(ctx: Ctx, service: Service<S>): S;
  /** Closes them, the youngest first. */
  close(): Promise<void>;
};

/** @param listed what the manifests name: any other service is a mistake */
export function createServices(listed: readonly AnyService[]): Services {
  const known = new Set<unknown>(listed);
  const opened = new Map<unknown, { readonly service: unknown; close(): void | Promise<void> }>();
  return {
    use<S>(ctx: Ctx, service: Service<S>): S {
      const found = opened.get(service);
      if (found !== undefined) return found.service as S;
      if (!known.has(service)) throw new Error(`no module lists the service ${service.name}`);
      const made = service.open(ctx);
      opened.set(service, { service: made, close: () => service.close?.(made) });
      return made;
    },
    async close() {
      for (const { close } of [...opened.values()].reverse()) await close();
      opened.clear();
    },
  };
}

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
