import { type ComposedMail, composeMail, type Mail } from './compose.ts';

/** Sends mails in the background, one after the other. */
export type MailQueue = {
  /** Queues a mail. Never throws or waits. A mail that finally fails is logged. */
  send(mail: Mail): void;
  /**
   * Sends a mail immediately with one attempt, for callers that retry. Rejects on temporary failures. A permanent one is
   * logged, and its codes are returned; null: the mail was sent.
   */
  deliver(mail: Mail): Promise<string | null>;
  /** Resolves when the queue is empty, including retries. */
  idle(): Promise<void>;
  /** Tries queued mails once more, for at most `patienceMs`, and accepts no more mails. */
  close(patienceMs: number): Promise<void>;
};

export type MailQueueOptions = {
  /** Rejects with an Error; one with a `responseCode` of 500 or more is final (RFC 5321, 4.2.1). */
  deliver(mail: ComposedMail): Promise<void>;
  /** Called for a mail that finally failed, without its text, which may contain secret links. */
  onLost(failure: MailFailure): void;
  /** Delays before the second and later attempts, in milliseconds. */
  retryAfterMs?: readonly number[];
};

/** The details of a failure that may be logged. */
export type MailFailure = { readonly reason: string; readonly tries: number };

type Waiting = { readonly mail: ComposedMail; tries: number; dueAt: number };

const RETRY_AFTER_MS = [1_000, 10_000, 60_000, 600_000];
const MAX_WAITING = 1_000;

/**
 * Keeps mails only in memory, because they contain links whose tokens are otherwise stored only as hashes. If the process
 * dies, queued mails are lost; the person can request another one.
 */
export function createMailQueue(options: MailQueueOptions): MailQueue {
  const { deliver, onLost, retryAfterMs = RETRY_AFTER_MS } = options;
  const waiting = new Set<Waiting>();
  const idlers = new Set<() => void>();
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let closed = false;

  function settle(): void {
    if (waiting.size > 0) return;
    for (const done of idlers) done();
    idlers.clear();
  }

  async function attempt(entry: Waiting): Promise<void> {
    const last = closed;
    try {
      await deliver(entry.mail);
      waiting.delete(entry);
    } catch (error) {
      entry.tries++;
      const delay = retryAfterMs[entry.tries - 1];
      if (delay === undefined || isFinal(error) || last) {
        waiting.delete(entry);
        onLost({ reason: reasonOf(error), tries: entry.tries });
      } else entry.dueAt = performance.now() + delay;
    }
  }

  async function work(): Promise<void> {
    for (;;) {
      const due = [...waiting].find((entry) => closed || entry.dueAt <= performance.now());
      if (due === undefined) return;
      await attempt(due);
    }
  }

  /** Starts the worker unless it is running, and schedules it for the next retry. */
  function wake(): void {
    if (running !== null) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    running = work().finally(() => {
      running = null;
      settle();
      if (waiting.size === 0) return;
      const next = Math.min(...[...waiting].map((entry) => entry.dueAt));
      timer = setTimeout(wake, Math.max(0, next - performance.now()));
      timer.unref();
    });
  }

  return {
    send(mail) {
      if (closed || waiting.size >= MAX_WAITING) {
        onLost({ reason: closed ? 'the server is shutting down' : 'too many mails wait', tries: 0 });
        return;
      }
      waiting.add({ mail: composeMail(mail), tries: 0, dueAt: 0 });
      wake();
    },
    async deliver(mail) {
      try {
        await deliver(composeMail(mail));
        return null;
      } catch (error) {
        const reason = reasonOf(error);
        if (!isFinal(error)) throw new Error(`the mail was not sent: ${reason}`);
        onLost({ reason, tries: 1 });
        return reason;
      }
    },
    idle() {
      if (waiting.size === 0) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      idlers.add(resolve);
      return promise;
    },
    async close(patienceMs) {
      closed = true;
      if (waiting.size > 0) {
        wake();
        await Promise.race([running, Bun.sleep(patienceMs)]);
      }
      if (timer !== null) clearTimeout(timer);
    },
  };
}

const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500;

/** Only the codes, because a server's reply may quote the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || error.name;
}
