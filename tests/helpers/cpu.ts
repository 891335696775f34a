/**
 * Milliseconds of CPU time that this process spends in `work`, garbage collection included. Unlike time on the
 * clock, other processes hardly change it, so a test can bound it.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
