import { AppError } from '../../../src/errors.ts';

/** Repeats a write that an overloaded server refused, as clients do. What is refused with 503 was not stored. */
export async function untilAccepted<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const reply = await write();
      if (!(reply instanceof Response && reply.status === 503)) return reply;
    } catch (error) {
      if (!(error instanceof AppError && error.status === 503)) throw error;
    }
    await Bun.sleep(100);
  }
}
