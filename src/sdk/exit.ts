/** What the end of the process means to a client. */
export type Leaving = {
  /** Number of events that are not sent. */
  pending(): number;
  /** Sends them; resolves when they are sent, or the time is up. Must not reject. */
  flush(): Promise<unknown>;
  /** Drops what is left, and ends requests that are not answered. */
  giveUp(): void;
  /** Reports events that are lost, because the process is ended without waiting for them. */
  reportLost(): void;
};

type Listener = (value: unknown) => void;
/** The part of Node's `process` that is used here. Bun and Deno have it too; edge runtimes have none of it. */
type Process = {
  readonly pid?: number;
  on(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  hasUncaughtExceptionCaptureCallback?(): boolean;
};
type WithCount = { readonly count?: unknown } | undefined;

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const UNCAUGHT = 'uncaughtException';

// One set for all clients, because Node warns of a leak when there are more than ten listeners.
const clients = new Set<Leaving>();
const waiting = (): Leaving[] => [...clients].filter((client) => client.pending() > 0);
const flushAll = (): Promise<unknown> => Promise.all(waiting().map((client) => client.flush()));

const findProcess = (): Process | undefined => {
  const found = (globalThis as { process?: Partial<Process> }).process;
  const isWhole = typeof found?.on === 'function' && typeof found.listenerCount === 'function';
  return isWhole ? (found as Process) : undefined;
};

/** Listeners of the package `signal-exit`, versions 3 and 4. They leave the end to whoever else listens. */
const countSignalExit = (process: Process): number => {
  const places: WithCount[] = [
    (process as Process & { __signal_exit_emitter__?: WithCount }).__signal_exit_emitter__,
    (globalThis as { [name: symbol]: WithCount })[Symbol.for('signal-exit emitter')],
  ];
  return places.reduce((sum, place) => sum + (typeof place?.count === 'number' ? place.count : 0), 0);
};

/** Flushes at a signal, then lets the signal do what it would do without this listener. */
const signalListener = (process: Process, signal: string): Listener => {
  let repeated = false;
  const listener: Listener = () => {
    const again = (): void => {
      const others = process.listenerCount(signal) - 1 - countSignalExit(process);
      // The application handles the signal itself, and decides when the process ends.
      if (others > 0) return;
      process.off(signal, listener);
      process.kill(process.pid ?? 0, signal);
    };
    // A second signal while events are being sent means: at once.
    if (repeated || waiting().length === 0) again();
    else {
      repeated = true;
      void flushAll().then(() => {
        repeated = false;
        again();
      });
    }
  };
  return listener;
};

/**
 * Flushes after an exception that nobody caught, then throws it again, so that the process ends as it would have. If
 * the application has its own listener, the process may go on, and events are only flushed.
 */
const uncaughtListener = (process: Process): Listener => {
  let ended = false;
  return () => {
    if (ended || waiting().length === 0) return;
    const isHandled = process.listenerCount(UNCAUGHT) > 0;
    if (isHandled || process.hasUncaughtExceptionCaptureCallback?.() === true) {
      void flushAll();
      return;
    }
    ended = true;
    let first: { error: unknown } | undefined;
    const hold: Listener = (error) => {
      first ??= { error };
    };
    process.on(UNCAUGHT, hold);
    void flushAll().then(() => {
      setTimeout(() => {
        process.off(UNCAUGHT, hold);
        if (first !== undefined) throw first.error;
      });
    });
  };
};

/** Nothing else keeps the process running, and a request that is not answered must not do so either. */
const beforeExit: Listener = () => {
  // Any work started here keeps the process running, so without events nothing must be started.
  for (const client of waiting())
    void client.flush().then(() => {
      if (client.pending() > 0) client.giveUp();
    });
};

/** `process.exit()` lets nothing be sent any more. */
const exit: Listener = () => {
  for (const client of waiting()) client.reportLost();
};

let listeners: readonly (readonly [event: string, listener: Listener])[] = [];

const listen = (process: Process): void => {
  listeners = [
    ['beforeExit', beforeExit],
    ['exit', exit],
    ['uncaughtExceptionMonitor', uncaughtListener(process)],
    ...SIGNALS.map((signal) => [signal, signalListener(process, signal)] as const),
  ];
  for (const [event, listener] of listeners) process.on(event, listener);
};

/** Flushes a client when the process ends, until the returned function is called. */
export const flushAtExit = (client: Leaving): (() => void) => {
  const process = findProcess();
  if (process === undefined) return () => {};
  try {
    if (clients.size === 0) listen(process);
  } catch {
    // Some runtimes have only an imitation of `process`, and Deno knows fewer signals on Windows.
  }
  clients.add(client);
  return () => {
    clients.delete(client);
    if (clients.size > 0) return;
    for (const [event, listener] of listeners) process.off(event, listener);
    listeners = [];
  };
};
