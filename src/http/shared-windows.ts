import { RedisClient } from 'bun';
import type { Logger } from 'pino';
import type { WindowHit } from '../lib/sliding-window.ts';

/** Sliding windows in Redis, shared by all servers that use it. */
export type SharedWindows = {
  /** Counts one request of `key`. Null if Redis did not answer in time; the caller then counts it elsewhere. */
  hit(key: string, options: { readonly limit: number; readonly windowMs: number }): Promise<WindowHit | null>;
  close(): void;
};

/**
 * Keeps the log of accepted requests of one key, oldest first, like `createSlidingWindow`. It uses the clock of
 * Redis, which all servers share, and never goes back in time. Returns whether the request was accepted, and the
 * remaining requests or the milliseconds until the next one is accepted.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or now)
if newest > now then now = newest end
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
while oldest and oldest + window <= now do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
end
local count = redis.call('LLEN', KEYS[1])
if count >= limit then return { 0, oldest + window - now } end
redis.call('RPUSH', KEYS[1], string.format('%d', now))
redis.call('PEXPIRE', KEYS[1], window)
return { 1, limit - count - 1 }`;

/**
 * Redis counts as unreachable if it answered no request for this long. The time is not per request, because under
 * load each request waits for earlier ones.
 */
const PATIENCE_MS = 250;
/** Additional time for a busy process to read an answer that has arrived, and the maximum wait of a request. */
const GRACE_MS = 50;
const MAX_WAIT_MS = 3_000;
/** Pause after a failure, so that not every request waits for an unreachable Redis. */
const PAUSE_MS = 1_000;

export function createSharedWindows({ url, log }: { url: string; log: Logger }): SharedWindows {
  const client = new RedisClient(url, { connectionTimeout: 1_000, enableOfflineQueue: false });
  let connecting: Promise<unknown> | null = null;
  let away = Number.NEGATIVE_INFINITY;
  let answered = Number.NEGATIVE_INFINITY;
  let wasAway = false;

  async function connected(): Promise<void> {
    if (client.connected) return;
    connecting ??= client.connect().finally(() => {
      connecting = null;
    });
    await connecting;
  }

  async function run(args: string[]): Promise<WindowHit> {
    await connected();
    const [ok, rest] = (await client.send('EVAL', [SCRIPT, '1', ...args])) as [number, number];
    answered = performance.now();
    return ok === 1
      ? { ok: true, remaining: rest }
      : { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(rest / 1000)) };
  }

  function note(error: unknown): null {
    away = performance.now();
    if (!wasAway) log.warn({ err: error }, 'Redis does not answer: shared rate limits are unavailable');
    wasAway = true;
    return null;
  }

  return {
    async hit(key, { limit, windowMs }) {
      if (performance.now() - away < PAUSE_MS) return null;
      const silence = waitForSilence(() => answered);
      try {
        const args = [`spanledger:limit:${key}`, String(limit), String(windowMs)];
        const silent = silence.promise.then(() => note(new Error('no answer in time')));
        const hit = await Promise.race([run(args).catch(note), silent]);
        if (hit !== null && wasAway) log.info('Redis answers again');
        if (hit !== null) wasAway = false;
        return hit;
      } finally {
        silence.cancel();
      }
    },
    close: () => client.close(),
  };
}

/** Resolves when no request was answered for `PATIENCE_MS`, at the latest after `MAX_WAIT_MS`. */
function waitForSilence(answered: () => number): { promise: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = performance.now();
  let graced = false;
  const look = (): void => {
    const now = performance.now();
    const left = PATIENCE_MS - (now - Math.max(started, answered()));
    const mayWait = now - started < MAX_WAIT_MS;
    if (left > 0 && mayWait) timer = setTimeout(look, left);
    else if (graced || !mayWait) resolve();
    else {
      graced = true;
      timer = setTimeout(look, GRACE_MS);
    }
  };
  let timer = setTimeout(look, PATIENCE_MS);
  return { promise, cancel: () => clearTimeout(timer) };
}
