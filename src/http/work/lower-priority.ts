import { setPriority } from 'node:os';

/**
 * Lets the calling thread yield the processor to others that need it. Only on Linux has each thread a priority of its
 * own; elsewhere nothing happens.
 * @param nice from 0 (normal) to 19 (only what nobody else uses)
 */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(nice);
  } catch {
    // A sandbox may forbid it. Then the system's own fairness has to do.
  }
}
