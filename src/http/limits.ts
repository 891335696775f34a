import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { rateLimited, unavailable } from '../errors.ts';
import { createSlidingWindow, type SlidingWindow, type WindowHit } from '../lib/sliding-window.ts';
import { createSharedWindows, type SharedWindows } from './shared-windows.ts';

/** How many requests of one key, session or organization are accepted in any stretch of time (interface.md, Limits). */
export const LIMITS = {
  /** By API key. */
  ingest: { limit: 1_000, windowMs: 60_000, maxKeys: 20_000 },
  /** By session: all that people read and change. */
  dashboard: { limit: 300, windowMs: 60_000, maxKeys: 50_000 },
  /** By organization: routes that ask a language model. */
  ai: { limit: 20, windowMs: 3_600_000, maxKeys: 50_000 },
} as const;
export type LimitName = keyof typeof LIMITS;

export type Limits = {
  /**
   * Counts a request and resolves when it is accepted.
   * @throws AppError 429 with the seconds after which one is accepted again; 503 where the shared counts
   * can't be reached and REDIS_FALLBACK says `refuse`
   */
  hit(name: LimitName, key: string): Promise<void>;
  close(): void;
};

/** Seconds after which to try again when the shared counts are away. */
const RETRY_SECONDS = 2;

type Options = {
  readonly config: Pick<Config, 'REDIS_URL' | 'REDIS_FALLBACK'>;
  readonly log: Logger;
  readonly now: () => number;
};

/**
 * The limits of this process, or with REDIS_URL those that several servers share. While Redis is away each
 * server counts for itself, or refuses, as REDIS_FALLBACK says; it never waits long.
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
      throw unavailable('Requests cannot be counted just now; try again', RETRY_SECONDS);
    return windows[name].hit(key, now());
  }

  return {
    async hit(name, key) {
      const hit = shared === null ? windows[name].hit(key, now()) : await ask(name, key);
      if (!hit.ok) throw rateLimited(hit.retryAfterSeconds);
    },
    close: () => shared?.close(),
  };
}

/** For the benchmark's own file: it measures what is behind the limits. */
export const NO_LIMITS: Limits = { hit: async () => {}, close: () => {} };
