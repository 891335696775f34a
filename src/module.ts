import type { z } from 'zod';
import type { AnyService, Ctx, DurableEvent, ModuleEvent } from './context.ts';
import type { Effect } from './db/effects.ts';
import type { WriteOp, Writes } from './db/group-commit.ts';
import type { OwnedTable } from './db/owned-table.ts';
import type { ReadOp } from './db/reader.ts';
import { sliceOp } from './db/slice.ts';
import { sqlOp } from './db/sql-op.ts';
import type { Route } from './http/route.ts';
import type { AnyWork } from './http/work/work.ts';

/** Origin of a request, as the audit log stores it. */
export type Source = { readonly address: string | null; readonly userAgent: string | null };

/**
 * Who makes a change: a user (`actorOf`), signed in or through the access token `tokenId`; the operator on the command
 * line (`name` is their login name); or the product itself (`name` is the job).
 */
export type Actor =
  | {
      readonly kind: 'operator';
      readonly name?: string;
      readonly source?: Source;
      /** The change was prepared by an answer or a recommendation and confirmed by the operator. */
      readonly copilot?: true;
    }
  | {
      readonly kind: 'user';
      readonly userId: string;
      readonly email: string;
      readonly tokenId?: string;
      readonly source?: Source;
      /** The change was prepared by an answer or a recommendation and confirmed by the user. */
      readonly copilot?: true;
    }
  | { readonly kind: 'system'; readonly name: string };

/**
 * Says what prepared a change that the user confirmed: with `copilot`, an answer or a recommendation. The audit log then
 * has the change also as `copilot.…`.
 */
const ORIGIN_HEADER = 'spanledger-origin';
const COPILOT = 'copilot';

/** The header of a change that an answer or a recommendation prepared. */
export const COPILOT_ORIGIN: Readonly<Record<string, string>> = { [ORIGIN_HEADER]: COPILOT };

/** Whether an answer or a recommendation prepared what a request changes. */
export const isByCopilot = (request: Request): boolean => request.headers.get(ORIGIN_HEADER) === COPILOT;

/** The user of a request, as an actor. */
export function actorOf(
  person: { readonly userId: string; readonly email: string; readonly tokenId?: string },
  { request, address }: { readonly request: Request; readonly address: string | null },
): Actor {
  const { userId, email, tokenId } = person;
  const source = { address, userAgent: request.headers.get('user-agent') };
  return {
    kind: 'user',
    userId,
    email,
    ...(tokenId !== undefined && { tokenId }),
    source,
    ...(isByCopilot(request) && { copilot: true }),
  };
}

/**
 * A change to the control plane, as data. If a server is running, the command line sends the action to it, so that
 * the file has one writer and the server's caches stay valid.
 */
export type Action<S extends z.ZodType = z.ZodType, O = unknown> = {
  /** `noun.verb`. The audit log records it as `noun.verb_past`. */
  readonly name: string;
  readonly input: S;
  // A method: its parameters are compared both ways, so that actions of any input fit in one list.
  run(ctx: Ctx, input: z.output<S>, actor: Actor): Promise<O>;
};

/** Defines an action; `run` receives the parsed type of `input`. */
export const defineAction = <S extends z.ZodType, O>(action: Action<S, O>): Action<S, O> => action;

/** Background work that runs on a schedule (UTC) or by hand. It must be safe to kill and to run again. */
export type Job = {
  /** `feature.verb`. */
  readonly name: string;
  readonly summary: string;
  /** Five cron fields, UTC. */
  readonly schedule: string;
  /** For frequent jobs: a scheduled run that returns `{}` is not recorded. */
  readonly quiet?: true;
  /**
   * Must yield often, because it shares the thread with HTTP requests. Returns a summary as JSON. Should stop when
   * `signal` aborts.
   */
  readonly run: (ctx: Ctx, signal: AbortSignal) => Promise<Record<string, unknown>>;
};

/** A module's reaction to an event. Create one with `listen` or `follow`. */
export type Listener =
  | { readonly event: string; readonly delivery: 'memory'; run(ctx: Ctx, payload: unknown): void }
  | {
      readonly event: string;
      readonly delivery: 'durable';
      run(ctx: Ctx, payload: unknown): Promise<Followed>;
    };

/**
 * `later`: the listener's input is not available yet. It is called again, and the call does not count as a failed
 * attempt.
 */
export type Followed = 'done' | 'later';

/**
 * Listens to an in-memory event, for example to drop a cache or start a job. `run` must return quickly and must not
 * block.
 */
export const listen = <P>(event: ModuleEvent<P>, run: (ctx: Ctx, payload: P) => void): Listener => ({
  event: event.name,
  delivery: 'memory',
  run,
});

/**
 * Follows a durable event. The outbox calls `run` until it resolves to `done`: at least once, possibly more often, so
 * `run` must be idempotent. A rejection is retried with increasing delays.
 */
export const follow = <P>(
  event: DurableEvent<P>,
  run: (ctx: Ctx, payload: P) => Promise<Followed>,
): Listener => ({ event: event.name, delivery: 'durable', run });

/** Creates the `emit` of a context, which calls the listeners of these modules. */
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

/** Manifest of a core or feature module; its `index.ts` exports one. */
export type Module = {
  readonly name: string;
  /** The module's tables. No other module may name them. */
  readonly tables?: readonly OwnedTable[];
  readonly routes?: readonly Route[];
  readonly reads?: readonly ReadOp[];
  readonly writes?: readonly WriteOp[];
  /** Work without data that would hold up the thread that answers HTTP. */
  readonly works?: readonly AnyWork[];
  /** Writes that commit in one transaction with a batch of events or with a change of stored events. */
  readonly effects?: readonly Effect[];
  readonly actions?: readonly Action[];
  readonly jobs?: readonly Job[];
  /** Resources that live as long as the app; see `Service`. */
  readonly services?: readonly AnyService[];
  /** Reactions to events of other modules. */
  readonly on?: readonly Listener[];
  /** What to change where a client of the module asks for a path that is no route; undefined for other requests. */
  readonly hintForPath?: (method: string, pathname: string) => string | undefined;
};

/** All write operations of these modules, plus those of `db/`: control-plane statements and deletion in slices. */
export const writesOf = (modules: readonly Module[]): Writes => ({
  ops: [sqlOp, sliceOp, ...modules.flatMap((module) => module.writes ?? [])],
  effects: modules.flatMap((module) => module.effects ?? []),
});
