/** How long a piece of work may run before it is stopped, at most, in milliseconds. */
const MOST_MS = 12;

/**
 * Does long work that is stopped again and again by its signal, after a random time, until it comes to its end.
 * @returns how often it was stopped
 */
export async function untilDone(
  random: (max: number) => number,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  for (let stops = 0; ; stops++) {
    // Later attempts get more time, so that there is an end.
    const limit = 1 + random(MOST_MS) + stops * 2;
    const reason = new Error('stopped by the test');
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(reason), limit);
    try {
      await work(stop.signal);
      return stops;
    } catch (error) {
      if (error !== reason) throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
