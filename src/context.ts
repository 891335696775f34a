import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { OwnedTable } from './db/owned-table.ts';
import type { Limits } from './http/limits.ts';

/**
 * Something that a module tells others, with a payload of type `P`. The module that emits it defines it and
 * exports it from its index; others listen by their manifest (`on`, see module.ts). `delivery` says how it
 * reaches them: `memory` at once and in this process only, `durable` by way of the outbox.
 */
export type ModuleEvent<P = undefined> = {
  /** `noun.verb_past`, such as `keys.changed`. */
  readonly name: string;
  readonly delivery: 'memory';
  /** Never set: it carries the payload's type. */
  readonly payload?: P;
};

/** An event whose listeners are called until they succeed: see core/outbox. Its payload is plain JSON. */
export type DurableEvent<P> = {
  readonly name: string;
  readonly delivery: 'durable';
  readonly payload?: P;
};

/** @example export const keysChanged = defineEvent('keys.changed') */
export const defineEvent = <P = undefined>(name: string): ModuleEvent<P> => ({ name, delivery: 'memory' });

/** @example export const quotaWarned = defineDurableEvent<QuotaWarning>('quota.warned') */
export const defineDurableEvent = <P>(name: string): DurableEvent<P> => ({ name, delivery: 'durable' });

/** What every handler, action and job is given: nothing in the product is global. */
export type Ctx = {
  readonly config: Config;
  readonly db: Db;
  /** Every table of the database, as the modules declare them. */
  readonly tables: readonly OwnedTable[];
  readonly log: Logger;
  /** Signs sessions; at least 32 characters. */
  readonly secret: string;
  /** Passwords and keys are hashed so cheaply that it protects nothing: for tests only. */
  readonly weakHashes: boolean;
  /** Requests that are accepted in a stretch of time. */
  readonly limits: Limits;
  /** Calls the listeners of an event at once. What one of them throws is logged and reaches nobody. */
  emit<P>(event: ModuleEvent<P>, ...payload: [P] extends [undefined] ? [] : [payload: P]): void;
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
