const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (value: number): string => String(value).padStart(2, '0');

/** `21 Nov` in UTC. */
export const shortDay = (ms: number): string => {
  const at = new Date(ms);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''}`;
};

/** `21 Nov 14:05` in UTC. */
export const shortTime = (ms: number): string => {
  const at = new Date(ms);
  return `${shortDay(ms)} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
};

/** `21 Nov 14:05:33` in UTC. */
export const exactTime = (ms: number): string => `${shortTime(ms)}:${two(new Date(ms).getUTCSeconds())}`;

/** `2026-11-21 14:05 UTC`. */
export const utcTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `2026-11-21 14:05 UTC (15:05 +01:00 here)`; the local time includes its date if that differs. */
export const utcAndLocal = (ms: number): string => {
  const at = new Date(ms);
  const east = -at.getTimezoneOffset();
  const size = Math.abs(east);
  const zone = `${east < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  const local = new Date(ms + east * 60_000).toISOString();
  const sameDay = local.slice(0, 10) === at.toISOString().slice(0, 10);
  return `${utcTime(ms)} (${local.slice(sameDay ? 11 : 0, 16).replace('T', ' ')} ${zone} here)`;
};

/** `22 Oct – 21 Nov 2026` for a window of days, with times for a shorter one; UTC. */
export const span = (start: number, end: number): string => {
  const years = [new Date(start).getUTCFullYear(), new Date(end).getUTCFullYear()];
  const write = end - start <= 3 * 86_400_000 ? shortTime : shortDay;
  const first = years[0] === years[1] ? write(start) : `${write(start)} ${years[0]}`;
  return `${first} – ${write(end)} ${write === shortDay ? years[1] : 'UTC'}`;
};
