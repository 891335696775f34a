import type { Writer } from '../../../../../db/writer.ts';
import { AppError } from '../../../../../errors.ts';
import type { Unsealed } from '../ingest/log-part.ts';
import { storeSegments } from './store-segments.ts';
import type { SealWork } from './wire.ts';

/** Attempts if what was read changes before it is replaced. */
const ATTEMPTS = 10;
/** Delay after a refusal, and the number of refusals: half a minute. */
const BUSY_MS = 100;
const REFUSALS = 300;

type Replacement<T> = {
  readonly writer: Writer;
  readonly project: number;
  /** Null if there is nothing to do. */
  read(): Promise<T | null>;
  workOf(reply: T): SealWork;
  /** Called after each attempt. */
  onUnsealed(project: number, unsealed: Unsealed): void;
  /** Waits before an attempt after a refusal. */
  sleep(ms: number): Promise<void>;
};

/**
 * Reads batches or segments, encodes them as new segments and replaces them by these. Repeats it if they changed
 * meanwhile, and while the store is busy.
 * @returns the reply of the read; null if there was nothing to do
 * @throws AppError 503 if the store stays busy
 */
export async function replaceBySegments<T>(replacement: Replacement<T>): Promise<T | null> {
  const { writer, project, read, workOf, onUnsealed, sleep } = replacement;
  for (let changes = 0, refusals = 0; changes < ATTEMPTS; ) {
    try {
      const reply = await read();
      if (reply === null) return null;
      const { outcome, unsealed } = await storeSegments(writer, project, workOf(reply));
      onUnsealed(project, unsealed);
      if (outcome === 'sealed') return reply;
      changes++;
    } catch (error) {
      if (!(error instanceof AppError && error.status === 503) || ++refusals === REFUSALS) throw error;
      await sleep(BUSY_MS);
    }
  }
  throw new Error('what is to be sealed changes all the time');
}
