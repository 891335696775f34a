import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { rateLimited, unavailable } from '../errors.ts';
import { createSlidingWindow, type SlidingWindow, type WindowHit } from '../lib/sliding-window.ts';
import { createSharedWindows, type SharedWindows } from './shared-windows.ts';

/**
 * Maximum number of requests per sliding window of `windowMs`, by API key, login session, access token, network address
 * or organization.
 */
export const LIMITS = {
  /** Per API key. */
  ingest: { limit: 1_000, windowMs: 60_000, maxKeys: 20_000 },
  /** Per API key: prompts that its clients fetch. */
  fetch: { limit: 6_000, windowMs: 60_000, maxKeys: 20_000 },
  /** Per login session or access token: all requests for data. */
  dashboard: { limit: 300, windowMs: 60_000, maxKeys: 50_000 },
  /**
   * Per network address: all routes without sign-in. Each server counts for itself, so that the dashboard's files do not
   * wait for Redis.
   */
  open: { limit: 1_200, windowMs: 60_000, maxKeys: 50_000, whenFull: 'forget' },
  /** Per organization: routes that call a language model. */
  ai: { limit: 20, windowMs: 3_600_000, maxKeys: 50_000 },
} as const;
export type LimitName = keyof typeof LIMITS;

export type Limits = {
  /**
   * Counts a request and resolves if it is accepted.
   * @throws AppError 429 with the seconds until the next request is accepted; 503 if the shared counts cannot be
   * reached and REDIS_FALLBACK is `refuse`
   */
  hit(name: LimitName, key: string): Promise<void>;
  close(): void;
};

/** `Retry-After` in seconds while the shared counts are unreachable. */
const RETRY_SECONDS = 2;

type Options = {
  readonly config: Pick<Config, 'REDIS_URL' | 'REDIS_FALLBACK'>;
  readonly log: Logger;
  readonly now: () => number;
};

/**
 * Creates the rate limits of this process, or with REDIS_URL those that several servers share. While Redis is
 * unreachable, each server counts for itself or refuses, depending on REDIS_FALLBACK. Waiting for Redis is short.
 */
export function createLimits({ config, log, now }: Options): Limits {
  const windows = Object.fromEntries(
    Object.entries(LIMITS).map(([name, options]) => [name, createSlidingWindow(options)]),
  ) as Record<LimitName, SlidingWindow>;
  const shared: SharedWindows | null =
    config.REDIS_URL === undefined ? null : createSharedWindows({ url: config.REDIS_URL, log });

  async function ask(name: LimitName, key: string): Promise<WindowHit> {
    const hit = await shared?.hit(`${name}:${key}`, LIMITS[name]);
    if (hit) return hit;
    if (shared !== null && config.REDIS_FALLBACK === 'refuse')
      throw unavailable('The rate limiter is unavailable; try again', RETRY_SECONDS);
    return windows[name].hit(key, now());
  }

  return {
    async hit(name, key) {
      const isOwn = shared === null || name === 'open';
      const hit = isOwn ? windows[name].hit(key, now()) : await ask(name, key);
      if (!hit.ok) throw rateLimited(hit.retryAfterSeconds);
    },
    close: () => shared?.close(),
  };
}

/** No limits, for the benchmark. */
export const NO_LIMITS: Limits = { hit: async () => {}, close: () => {} };
