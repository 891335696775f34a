import { type Ctx, listService, type Service } from '../../context.ts';
import { listen, type Module } from '../../module.ts';
import { type Delivered, deliverDue, followersOf } from './deliver.ts';
import { outboxWritten } from './write-outbox.ts';

/** Delivers events in the background, one round at a time. */
type Dispatcher = {
  /** Starts a round, or makes the current one check again for due events. */
  wake(): void;
  /** Runs a separate round after the current one. */
  run(signal: AbortSignal): Promise<Delivered>;
  /** Stops deliveries and waits a few seconds for the current one, which would otherwise be repeated. */
  close(): Promise<void>;
};

/** The job delivers what no wake-up covers: due retries and events of a dead process. */
const SCHEDULE = '* * * * *';
const CLOSING_PATIENCE_MS = 3_000;

/**
 * The outbox module: delivers durable events to the followers among the modules. It receives the list of modules as a
 * function, because the list contains it.
 */
export function createOutboxModule(modules: () => readonly Module[]): Module {
  const dispatcher: Service<Dispatcher> = {
    name: 'outbox',
    open: (ctx) => openDispatcher(ctx, modules()),
    close: (opened) => opened.close(),
  };
  return {
    name: 'outbox',
    // Events that were given up are kept for a month, for debugging.
    tables: [{ name: 'outbox', scope: 'none', key: ['id'], retention: { ends: 'failed_at', keptDays: 30 } }],
    services: [listService(dispatcher)],
    on: [listen(outboxWritten, (ctx) => ctx.use(dispatcher).wake())],
    jobs: [
      {
        name: 'outbox.deliver',
        summary: 'Deliver events that wait for another attempt',
        schedule: SCHEDULE,
        quiet: true,
        run: async (ctx, signal) => {
          const { delivered, failed } = await ctx.use(dispatcher).run(signal);
          return delivered + failed === 0 ? {} : { delivered, failed };
        },
      },
    ],
  };
}

function openDispatcher(ctx: Ctx, modules: readonly Module[]): Dispatcher {
  const followers = followersOf(modules);
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = false;

  function run(signal: AbortSignal): Promise<Delivered> {
    const round = last.then(() => {
      waiting = false;
      return deliverDue(ctx, followers, AbortSignal.any([closing.signal, signal]));
    });
    last = round.catch(() => {});
    return round;
  }

  return {
    run,
    wake: () => {
      // A waiting round will see the new events.
      if (waiting || closing.signal.aborted) return;
      waiting = true;
      run(closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted)
          ctx.log.warn({ err: error }, 'a delivery round failed; the next one starts within a minute');
      });
    },
    close: async () => {
      closing.abort();
      await Promise.race([last, Bun.sleep(CLOSING_PATIENCE_MS)]);
    },
  };
}

export { outboxBacklog } from './backlog.ts';
export { createOutboxWriter, outboxStatement, outboxWritten } from './write-outbox.ts';
