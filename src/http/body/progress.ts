import { AppError } from '../../errors.ts';

/** Watches a transfer and cuts it when it does not progress. */
export type Progress = {
  add(bytes: number): void;
  /** Rejects when the transfer is cut; otherwise it stays pending. */
  readonly cut: Promise<never>;
  end(): void;
};

/** In each period a body must progress by `LEAST_BYTES`. */
const PERIOD_MS = 5_000;
const LEAST_BYTES = 16_384;
/** The longest transfer: 32 MB at 4 Mbit/s. */
const LONGEST_MS = 64_000;

/** The connection is closed, because the rest of the body would only keep it busy. */
const tooSlow = (): AppError =>
  new AppError(408, 'The body arrived too slowly; send it at 4 kB/s or more, or in smaller parts', {
    headers: { Connection: 'close' },
  });

/** @param signal cuts the transfer too; its reason is an error */
export function createProgress(signal?: AbortSignal): Progress {
  const { promise, reject } = Promise.withResolvers<never>();
  // The transfer may end before anybody waits for the cut.
  promise.catch(() => undefined);
  let bytes = 0;
  let periods = 0;
  const timer = setInterval(() => {
    if (bytes < LEAST_BYTES || ++periods * PERIOD_MS > LONGEST_MS) reject(tooSlow());
    bytes = 0;
  }, PERIOD_MS);
  const onAbort = (): void => reject(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    add: (count) => {
      bytes += count;
    },
    cut: promise,
    end: () => {
      clearInterval(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
