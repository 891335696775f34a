import { createSensitive, DEFAULT_REDACT_KEYS, type IsSensitive } from '../lib/sensitive-keys.ts';
import type { Settings } from './options.ts';

/** The reply of `GET /v1/sdk/config`. */
export type RemoteConfig = {
  readonly version: number;
  readonly sampleRate: number;
  readonly redactKeys: readonly string[];
  readonly storePrompts: boolean;
  readonly flushIntervalMs: number;
  readonly maxBatchSize: number;
  /** The key's project, and the server's address for browsers if it knows it. Absent from older servers. */
  readonly projectId?: string;
  readonly publicUrl?: string | null;
};

/** The current settings: the client's own, combined with the server's once they are known. */
export type Live = {
  readonly sampleRate: number;
  readonly isSensitive: IsSensitive;
  readonly storePrompts: boolean;
  readonly flushIntervalMs: number;
  readonly maxBatchSize: number;
  /** Increases when lines written earlier may contain more than the current settings allow. */
  readonly revision: number;
  /** Version of the server's configuration in force; null before the first. */
  readonly version: number | null;
};

const FLUSH_INTERVAL_MS = 5_000;
const MAX_BATCH = 100;
const SHORTEST_INTERVAL_MS = 100;

const within = (value: unknown, min: number, max: number): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : undefined;

/** The server's keys; its defaults are left out if the client replaced them with its own list. */
const sensitiveKeys = (settings: Settings, server: unknown): Set<string> => {
  const own = settings.replaceRedactKeys
    ? settings.redactKeys
    : [...DEFAULT_REDACT_KEYS, ...settings.redactKeys];
  const theirs = Array.isArray(server) ? server.filter((key): key is string => typeof key === 'string') : [];
  const added = settings.replaceRedactKeys
    ? theirs.filter((key) => !DEFAULT_REDACT_KEYS.includes(key))
    : theirs;
  return new Set([...own, ...added]);
};

const sameKeys = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((key) => b.has(key));

/**
 * Settings that follow the server. For privacy and volume the stricter side wins: the lower sample rate, the
 * sensitive keys of both, prompts only if both allow them. Interval and batch size come from the server unless the
 * client sets its own.
 */
export const createLive = (settings: Settings): { readonly now: Live; apply(config: RemoteConfig): void } => {
  let keys = sensitiveKeys(settings, []);
  let now: Live = {
    sampleRate: settings.sampleRate,
    isSensitive: createSensitive(keys),
    storePrompts: settings.storePrompts,
    flushIntervalMs: settings.flushIntervalMs ?? FLUSH_INTERVAL_MS,
    maxBatchSize: settings.maxBatchSize ?? MAX_BATCH,
    revision: 0,
    version: null,
  };
  return {
    get now() {
      return now;
    },
    apply(config) {
      const wanted = sensitiveKeys(settings, config.redactKeys);
      const keysChanged = !sameKeys(keys, wanted);
      keys = wanted;
      const storePrompts = settings.storePrompts && config.storePrompts === true;
      const stricter = keysChanged || (now.storePrompts && !storePrompts);
      const interval = within(config.flushIntervalMs, SHORTEST_INTERVAL_MS, 3_600_000);
      const batch = within(config.maxBatchSize, 1, MAX_BATCH);
      now = {
        sampleRate: Math.min(settings.sampleRate, within(config.sampleRate, 0, 1) ?? 1),
        isSensitive: keysChanged ? createSensitive(keys) : now.isSensitive,
        storePrompts,
        flushIntervalMs: settings.flushIntervalMs ?? interval ?? now.flushIntervalMs,
        maxBatchSize: settings.maxBatchSize ?? (batch === undefined ? now.maxBatchSize : Math.floor(batch)),
        revision: stricter ? now.revision + 1 : now.revision,
        version: config.version,
      };
    },
  };
};
