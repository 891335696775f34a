import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Lets the calling thread yield the processor to others that need it. On Linux each thread has its own priority, which
 * threads and processes that it starts inherit; elsewhere a thread can't lower its own, and nothing happens.
 * @param nice from 0 (normal) to 19 (only what nobody else uses)
 */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux' && !isMainThread) return;
  try {
    setPriority(nice);
  } catch {
    // A sandbox may forbid it. Then the system's own fairness has to do.
  }
}
