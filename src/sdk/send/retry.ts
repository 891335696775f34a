const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Even if the server names a wait of weeks (the monthly quota), the client retries once an hour. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Delay after `failures` failed attempts: doubles from one second to 30, half of it random. */
export const backoff = (failures: number, random: () => number = Math.random): number => {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(whole / 2 + (whole / 2) * random());
};

/**
 * Milliseconds that a `Retry-After` header names (RFC 9110, 10.2.3: seconds or a date), at most an hour; null if
 * it is missing or invalid.
 */
export const retryAfter = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(LONGEST_PAUSE_MS, Math.max(0, Math.ceil(ms)));
};
