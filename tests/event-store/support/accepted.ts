import { AppError } from '../../../src/errors.ts';

const RETRY_MS = 20;

/** Sends or asks again what a busy store refuses with 503, as clients do. */
export async function accepted<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}
