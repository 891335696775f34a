import type { z } from 'zod';
import type { AnyService, Ctx, DurableEvent, ModuleEvent } from './context.ts';
import type { Effect } from './db/effects.ts';
import type { WriteOp, Writes } from './db/group-commit.ts';
import type { OwnedTable } from './db/owned-table.ts';
import type { ReadOp } from './db/reader.ts';
import { sliceOp } from './db/slice.ts';
import { sqlOp } from './db/sql-op.ts';
import type { Route } from './http/route.ts';

/** Where a request came from, as the audit log tells it. */
export type Source = { readonly address: string | null; readonly userAgent: string | null };

/**
 * Who does a thing: a signed-in person (`actorOf`), the operator at the machine's command line by the name
 * of their login, or the product itself by the name of the job.
 */
export type Actor =
  | { readonly kind: 'operator'; readonly name?: string; readonly source?: Source }
  | { readonly kind: 'user'; readonly userId: string; readonly email: string; readonly source?: Source }
  | { readonly kind: 'system'; readonly name: string };

/** The person who made a request, for what it changes. */
export function actorOf(
  { userId, email }: { readonly userId: string; readonly email: string },
  { request, address }: { readonly request: Request; readonly address: string | null },
): Actor {
  return { kind: 'user', userId, email, source: { address, userAgent: request.headers.get('user-agent') } };
}

/**
 * A change to the control plane as data. The command line runs it in the serving process where one is
 * running, so that there is one writer and its caches follow.
 */
export type Action<S extends z.ZodType = z.ZodType, O = unknown> = {
  /** `noun.verb`; the audit log has `noun.verb_past`. */
  readonly name: string;
  readonly input: S;
  // A method: its parameters are compared both ways, so that actions of any input fit in one list.
  run(ctx: Ctx, input: z.output<S>, actor: Actor): Promise<O>;
};

/** Infers an action's types: `run` takes what `input` gives. */
export const defineAction = <S extends z.ZodType, O>(action: Action<S, O>): Action<S, O> => action;

/** A piece of work that runs by the calendar (UTC) and by hand. It must be safe to kill and to run again. */
export type Job = {
  /** `feature.verb`. */
  readonly name: string;
  readonly summary: string;
  /** Five cron fields, UTC. */
  readonly schedule: string;
  /** For a job of every minute: a run by the calendar that had nothing to tell (`{}`) leaves no trace. */
  readonly quiet?: true;
  /** Yields often (H9). Returns what it did, as JSON. `signal` asks it to stop. */
  readonly run: (ctx: Ctx, signal: AbortSignal) => Promise<Record<string, unknown>>;
};

/** What a module does when an event happened elsewhere; `listen` and `follow` make one. */
export type Listener =
  | { readonly event: string; readonly delivery: 'memory'; run(ctx: Ctx, payload: unknown): void }
  | {
      readonly event: string;
      readonly delivery: 'durable';
      run(ctx: Ctx, payload: unknown): Promise<Followed>;
    };

/** `later`: what the listener needs is not there yet; it is called again, and this was no failed attempt. */
export type Followed = 'done' | 'later';

/** Listens to an event of this process: to drop a cache, to start a job. `run` returns soon and waits for nothing. */
export const listen = <P>(event: ModuleEvent<P>, run: (ctx: Ctx, payload: P) => void): Listener => ({
  event: event.name,
  delivery: 'memory',
  run,
});

/**
 * Follows a durable event. The outbox calls `run` until it resolves to `done`, at least once and perhaps more
 * often, so `run` must be safe to repeat. A rejection is tried again with growing pauses.
 */
export const follow = <P>(
  event: DurableEvent<P>,
  run: (ctx: Ctx, payload: P) => Promise<Followed>,
): Listener => ({ event: event.name, delivery: 'durable', run });

/** The `emit` of a context, for the listeners of these modules. */
export function createEmitter(
  modules: readonly Module[],
): (ctx: Ctx, event: string, payload: unknown) => void {
  const listeners = modules.flatMap(({ on = [] }) => on).filter(({ delivery }) => delivery === 'memory');
  const byEvent = Map.groupBy(listeners, ({ event }) => event);
  return (ctx, event, payload) => {
    for (const listener of byEvent.get(event) ?? []) {
      try {
        listener.run(ctx, payload);
      } catch (error) {
        ctx.log.error({ err: error, event }, 'a listener failed');
      }
    }
  };
}

/** What a core or feature module brings; its `index.ts` exports one. */
export type Module = {
  readonly name: string;
  /** Its tables: no other module names them. */
  readonly tables?: readonly OwnedTable[];
  readonly routes?: readonly Route[];
  readonly reads?: readonly ReadOp[];
  readonly writes?: readonly WriteOp[];
  /** What it writes in one transaction with a batch of events or a change of stored ones. */
  readonly effects?: readonly Effect[];
  readonly actions?: readonly Action[];
  readonly jobs?: readonly Job[];
  /** What lives as long as the app: see `Service`. */
  readonly services?: readonly AnyService[];
  /** What the module does when something happened elsewhere. */
  readonly on?: readonly Listener[];
};

/** What the writer of these modules can do; the control plane's statements and deletions are always among it. */
export const writesOf = (modules: readonly Module[]): Writes => ({
  ops: [sqlOp, sliceOp, ...modules.flatMap((module) => module.writes ?? [])],
  effects: modules.flatMap((module) => module.effects ?? []),
});
