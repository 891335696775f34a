/** The longest pause between two looks, in milliseconds: those at a route count as requests of a session. */
const MAX_PAUSE_MS = 50;

/**
 * Waits until something holds, and looks again every few milliseconds: for what sends no event of its own.
 * Throws after ten seconds, or after `withinMs`, naming `what` did not come.
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const until = performance.now() + withinMs;
  for (let pause = 2; !(await holds()); pause = Math.min(MAX_PAUSE_MS, pause * 1.25)) {
    if (performance.now() > until) throw new Error(`in ${withinMs} ms there was not: ${what}`);
    await Bun.sleep(pause);
  }
}
