/** When this process started, in epoch milliseconds. */
export const startedAt = (now: number): number => now - process.uptime() * 1_000;
