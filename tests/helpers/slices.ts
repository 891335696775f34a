import { readFileSync } from 'node:fs';

/** Milliseconds for which this process's first thread has been on a processor (proc_pid_schedstat). */
const threadMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/**
 * The longest slice of work during `work`: milliseconds of CPU of this thread between two turns of its event loop, in
 * which no other request can be answered. Time on the clock would also count other processes. The least of three times:
 * what the work itself does in one piece it does each time, and a collection of garbage or a slow machine may come once.
 */
export async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  const once = await slicesOf(work);
  const again = await slicesOf(work);
  return Math.min(once, again, await slicesOf(work));
}

async function slicesOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = threadMs();
  let isDone = false;
  const turn = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
    // Looking at each turn would take the processor from the work; what comes within a millisecond counts as one slice.
    if (!isDone) setTimeout(turn, 1);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  await new Promise((resolve) => setTimeout(resolve, 1));
  return longest;
}
