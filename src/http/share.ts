import { AppError, unavailable } from '../errors.ts';
import { createFairGate, type FairGate, type FairGateOptions } from '../lib/fair-gate.ts';

/**
 * Limits expensive requests of one kind, in total and by owner, such as an organization. Refusals are 429 if the owner
 * has too many, 503 if all together have; `Retry-After` follows from the work ahead and how long such work took lately.
 * @param what plural, such as `exports`
 */
export const createShare = (what: string, limits: Pick<FairGateOptions, 'running' | 'waiting'>): FairGate =>
  createFairGate({
    ...limits,
    refuse: (seconds, by) =>
      by === 'total'
        ? unavailable(`Too many ${what} are running; try again`, seconds)
        : new AppError(429, `Your organization has too many ${what} at once; wait for one to end`, {
            // The rest of a large body would only keep the connection busy.
            headers: { 'Retry-After': String(seconds), Connection: 'close' },
          }),
  });
