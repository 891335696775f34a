import { cancelTimer, later } from '../runtime.ts';

/** A stream that is watched: `seen` at each piece, `stop` at its end. */
export type Idle = { seen(): void; stop(): void };

/**
 * Watches a stream whose end may never be told.
 * @param onIdle called once nothing came for `ms`, with the time of the last piece (`performance.now()`)
 */
export const watchIdle = (ms: number, onIdle: (last: number) => void): Idle => {
  let last = performance.now();
  const check = (): void => {
    const left = last + ms - performance.now();
    if (left <= 0) onIdle(last);
    else timer = later(left, check);
  };
  let timer = later(ms, check);
  return {
    seen() {
      last = performance.now();
    },
    stop: () => cancelTimer(timer),
  };
};
