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
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`in ${withinMs} ms there was not: ${what}`);
    await Bun.sleep(2);
  }
}
