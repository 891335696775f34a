import { type Ctx, listService, type Service } from '../../context.ts';
import { listen, type Module } from '../../module.ts';
import { type Delivered, deliverDue, followersOf } from './deliver.ts';
import { outboxWritten } from './write-outbox.ts';

/** Delivers in the background, one round at a time. */
type Dispatcher = {
  /** Starts a round, or lets the one that runs look once more. */
  wake(): void;
  /** A round of its own, after the one that runs. */
  run(signal: AbortSignal): Promise<Delivered>;
  /** Starts no other delivery and waits a few seconds for the one in hand; killed, it would be repeated. */
  close(): Promise<void>;
};

/** The job finds what a wake-up missed: what waits for its next attempt, and what a dead process left. */
const SCHEDULE = '* * * * *';
const CLOSING_PATIENCE_MS = 3_000;

/**
 * The module of the outbox: durable events are delivered to the followers of these modules. It is one of them
 * itself, so it is given the list as a function.
 */
export function createOutboxModule(modules: () => readonly Module[]): Module {
  const dispatcher: Service<Dispatcher> = {
    name: 'outbox',
    open: (ctx) => openDispatcher(ctx, modules()),
    close: (opened) => opened.close(),
  };
  return {
    name: 'outbox',
    // Rows that were given up are kept for a month, for whoever reads the log.
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
      // A round that has not begun yet will see what was written.
      if (waiting || closing.signal.aborted) return;
      waiting = true;
      run(closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) ctx.log.warn({ err: error }, 'deliveries wait for the next minute');
      });
    },
    close: async () => {
      closing.abort();
      await Promise.race([last, Bun.sleep(CLOSING_PATIENCE_MS)]);
    },
  };
}

export { createOutboxWriter, outboxStatement, outboxWritten } from './write-outbox.ts';
