import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { OwnedTable } from './db/owned-table.ts';
import type { Limits } from './http/limits.ts';
import type { Workers } from './http/work/work.ts';

/**
 * Which of several servers call the listeners of an event in memory: `here`, the one that emits it; `all`, because it
 * empties a cache that each of them has; `leader`, because only the leader does that work. What goes to others is plain
 * JSON, and may be lost; caches are emptied then a few seconds later.
 */
export type Reach = 'here' | 'all' | 'leader';

/**
 * An event between modules, with a payload of type `P`. The module that emits it defines it and exports it from its
 * index; other modules listen through their manifest (`on`, see module.ts). `delivery` is `memory` (immediately, in
 * this process only) or `durable` (through the outbox).
 */
export type ModuleEvent<P = undefined> = {
  /** `noun.verb_past`, such as `keys.changed`. */
  readonly name: string;
  readonly delivery: 'memory';
  readonly reach: Reach;
  /** Type only; never set. */
  readonly payload?: P;
};

/** An event whose listeners are called until they succeed; see core/outbox. The payload is plain JSON. */
export type DurableEvent<P> = {
  readonly name: string;
  readonly delivery: 'durable';
  /** What an event is about: it waits until older ones with the same key arrived or were given up. */
  readonly orderKey?: (payload: P) => string;
  readonly payload?: P;
};

/** @example export const keysChanged = defineEvent('keys.changed') */
export const defineEvent = <P = undefined>(name: string, reach: Reach = 'here'): ModuleEvent<P> => ({
  name,
  delivery: 'memory',
  reach,
});

/** @example export const quotaWarned = defineDurableEvent<QuotaWarning>('quota.warned') */
export const defineDurableEvent = <P>(
  name: string,
  options: Pick<DurableEvent<P>, 'orderKey'> = {},
): DurableEvent<P> => ({ name, delivery: 'durable', ...options });

/** The context of every handler, action and job. The product has no global state. */
export type Ctx = {
  readonly config: Config;
  readonly db: Db;
  /** Every table of the database, as the modules declare them. */
  readonly tables: readonly OwnedTable[];
  readonly log: Logger;
  /** Signs sessions; at least 32 characters. */
  readonly secret: string;
  /** Hashes passwords and keys with a cost too low for security. Tests only. */
  readonly weakHashes: boolean;
  /** The rate limits. */
  readonly limits: Limits;
  /** Runs work that would hold up the thread that answers HTTP. */
  readonly workers: Workers;
  /** The other servers of the same databases; null where only one process may write. */
  readonly servers: Servers | null;
  /**
   * Calls the listeners of an event immediately. An error that a listener throws is logged, not passed to the caller.
   */
  emit<P>(event: ModuleEvent<P>, ...payload: [P] extends [undefined] ? [] : [payload: P]): void;
  /** The service of this context. The first call opens it; later calls return the same one. */
  use<S>(service: Service<S>): S;
  /** Current time in epoch milliseconds. Tests can set it. */
  now(): number;
};

/** What a server of several knows of them. */
export type Servers = {
  /** What keeps this one from answering all requests; null if nothing does. */
  problem(): string | null;
  list(): Promise<ServerLine[]>;
};

/** A server, as the others see it. Epoch milliseconds. */
export type ServerLine = {
  readonly name: string;
  readonly address: string;
  readonly version: string;
  readonly isLeader: boolean;
  readonly startedAt: number;
  readonly seenMsAgo: number;
};

/**
 * A resource that lives as long as the context: a cache, a connection, a worker. The module that owns it lists it in
 * its manifest. The first use opens it; closing the app closes it.
 */
export type Service<S> = {
  readonly name: string;
  readonly open: (ctx: Ctx) => S;
  readonly close?: (service: S) => void | Promise<void>;
};

/** Services of any type, as a manifest lists them. */
export type AnyService = Service<never>;

/** Checks a service's types and erases them, so that one list can hold all services. */
export const listService = <S>(service: Service<S>): AnyService => service as unknown as AnyService;

/** The opened services of one context. */
export type Services = {
  use<S>(ctx: Ctx, service: Service<S>): S;
  /** Closes the services in reverse order of opening. */
  close(): Promise<void>;
};

/** @param listed the services in the manifests; using any other service throws */
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
