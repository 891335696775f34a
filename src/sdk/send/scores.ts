import { newEventId } from '../ids.ts';
import type { Report } from '../problems.ts';
import { later } from '../runtime.ts';
import { backoff, retryAfter } from './retry.ts';
import type { Transport } from './transport.ts';

/** A score of a trace, a span of it, or a session. */
export type ScoreFields = {
  /** Name of the score. The first one of a new name decides its type. */
  readonly name: string;
  /** A number, a boolean, or a word. */
  readonly value: number | boolean | string;
  /** Default: the current trace, unless there is a session. */
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Why. */
  readonly comment?: string | undefined;
  /** Own id, such as that of the feedback in your database: with it, another value replaces the first. */
  readonly scoreId?: string | undefined;
};

const MAX_BATCH = 100;
const MAX_WAITING = 10_000;
const MAX_FAILURES = 8;

type Parts = { readonly transport: Transport; readonly report: Report };

/** Sends scores in batches, in the background, again while the server cannot be reached. */
export const createScores = ({ transport, report }: Parts) => {
  const waiting: object[] = [];
  let sending: Promise<void> | undefined;
  let stopped = false;
  let wake = (): void => {};

  const drop = (count: number, why: string): void =>
    report({ kind: 'dropped', message: `${count} scores were not stored: ${why}`, events: 0 });

  /** Resolves to how long to wait before another attempt, in milliseconds; null if there is none. */
  const sendOnce = async (batch: readonly object[], failures: number): Promise<number | null> => {
    const answer = await transport.scores(new TextEncoder().encode(JSON.stringify(batch)));
    if (answer.status !== null && answer.status < 300) return null;
    const isTemporary = answer.status === null || answer.status === 429 || answer.status >= 500;
    if (isTemporary && failures < MAX_FAILURES && !stopped)
      return (
        (answer.status === null ? null : retryAfter(answer.retryAfter, Date.now())) ?? backoff(failures + 1)
      );
    // One that is refused must not take the others with it.
    if (!isTemporary && batch.length > 1) {
      for (const one of batch) await sendOnce([one], MAX_FAILURES);
      return null;
    }
    const said = answer.status === null ? answer.reason : (answer.body as { error?: unknown } | null)?.error;
    drop(batch.length, typeof said === 'string' ? said : `the server answered ${answer.status}`);
    return null;
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      later(ms, resolve);
    });

  const run = async (): Promise<void> => {
    // Scores of the same moment go together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      for (let failures = 0; ; failures++) {
        const wait = await sendOnce(batch, failures);
        if (wait === null) break;
        await pause(wait);
      }
    }
    sending = undefined;
  };

  return {
    give({ traceId, spanId, sessionId, ...fields }: ScoreFields, active: boolean, current?: string): string {
      const scoreId = fields.scoreId ?? newEventId();
      if (!active || stopped) return scoreId;
      const about = traceId ?? (sessionId === undefined ? current : undefined);
      if (about === undefined && sessionId === undefined)
        drop(1, 'outside of a trace, a score needs traceId or sessionId');
      else if (waiting.length >= MAX_WAITING) drop(1, 'too many scores wait for the server');
      else {
        const target = about === undefined ? { sessionId } : { traceId: about, spanId };
        waiting.push({ ...fields, ...target, scoreId });
        sending ??= run();
      }
      return scoreId;
    },
    /** Resolves when all scores are sent or given up. */
    settle: (): Promise<void> => sending ?? Promise.resolve(),
    stop(): void {
      stopped = true;
      wake();
    },
  };
};
