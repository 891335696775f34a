import type { BaseContext } from '../command.ts';

/** Runs work that the next call of the same command goes on with. Null if Ctrl-C or SIGTERM stopped it. */
export async function untilStopped<T>(
  { output, signal }: BaseContext,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    output.info('Stopped; the same command goes on from here');
    return null;
  }
}
