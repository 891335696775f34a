import type { Mask } from './mask.ts';
import type { OpenTelemetryApi } from './open-telemetry.ts';
import type { Problem, Report } from './problems.ts';
import { readEnvironment } from './runtime.ts';

/** The part of `fetch` that this library uses; the global `fetch` fits. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/**
 * Options of `createClient`. Each can also be set by an environment variable: `SPANLEDGER_` and its name in upper
 * snake case, such as `SPANLEDGER_FLUSH_INTERVAL_MS`. Options in code take precedence. Lists in variables are
 * separated by commas; `redact` is `SPANLEDGER_REDACT` (extend) or `SPANLEDGER_REDACT_REPLACE`.
 */
export type ClientOptions = {
  /** API key of the project (`spanledger keys create`). Without a key nothing is recorded. */
  apiKey?: string | undefined;
  /**
   * Access token with the scopes `read`, `datasets:write` and `experiments:run`, for `dataset` and `experiment` only: an
   * API key cannot read what is stored.
   */
  accessToken?: string | undefined;
  /** Address of the server. Default: `http://127.0.0.1:4318`. */
  baseUrl?: string | undefined;
  /** False turns the client off. Default: true. */
  enabled?: boolean | undefined;
  /** Whether prompts and completions may leave the process. Default: false. The project must allow it too. */
  storePrompts?: boolean | undefined;
  /** Keys in tags and metadata whose values are redacted: added to the default list, or replacing it. */
  redact?: readonly string[] | { readonly replace: readonly string[] } | undefined;
  /** Share of traces to send, 0 to 1. Default: 1. The server can lower it. */
  sampleRate?: number | undefined;
  /** Label of the deployment. The server uses `production` if it is not set. */
  environment?: string | undefined;
  /** Version of the application. */
  release?: string | undefined;
  /** Longest time that an event waits for a batch, in milliseconds. Default: the server's value, 5,000 until then. */
  flushIntervalMs?: number | undefined;
  /** Most events in one request. Default: the server's value, at most 100. */
  maxBatchSize?: number | undefined;
  /**
   * Most events in memory. Beyond it the oldest are dropped, counted in `stats().dropped` and reported. Default:
   * 100,000.
   */
  maxQueueEvents?: number | undefined;
  /** Most bytes of waiting events, in the same way. Default: 64 MiB. */
  maxQueueBytes?: number | undefined;
  /** Timeout of a request to the server, in milliseconds. Default: 10,000. */
  requestTimeoutMs?: number | undefined;
  /** Timeout of `flush`, `shutdown` and the flush at process exit, in milliseconds. Default: 5,000. */
  flushTimeoutMs?: number | undefined;
  /**
   * Whether to send what is left when the process ends by itself, by SIGTERM, SIGINT or SIGHUP, or by an exception
   * that nobody caught. It then ends as it would have. Default: true.
   */
  flushAtExit?: boolean | undefined;
  /**
   * Called with each text that leaves the process, except ids, models and statuses; its result is sent instead. If it
   * throws, the text is left out and the problem is reported.
   */
  mask?: Mask | undefined;
  /**
   * The module `@opentelemetry/api`. Events then belong to the OpenTelemetry trace that is active, with its ids, and a
   * call that is also sent as an OpenTelemetry span counts once.
   */
  openTelemetry?: OpenTelemetryApi | undefined;
  /** Whether to apply settings from the server. Default: true. */
  remoteConfig?: boolean | undefined;
  /** Replaces the environment of the process, for runtimes that pass it to the handler. */
  env?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Receives problems instead of `console.warn`. */
  onProblem?: ((problem: Problem) => void) | undefined;
};

/** The options with their defaults. Undefined values are decided by the server. */
export type Settings = {
  readonly apiKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly baseUrl: string;
  readonly enabled: boolean;
  readonly storePrompts: boolean;
  readonly redactKeys: readonly string[];
  readonly replaceRedactKeys: boolean;
  readonly sampleRate: number;
  readonly environment: string | undefined;
  readonly release: string | undefined;
  readonly flushIntervalMs: number | undefined;
  readonly maxBatchSize: number | undefined;
  readonly maxQueueEvents: number;
  readonly maxQueueBytes: number;
  readonly requestTimeoutMs: number;
  readonly flushTimeoutMs: number;
  readonly flushAtExit: boolean;
  readonly mask: Mask | undefined;
  readonly openTelemetry: OpenTelemetryApi | undefined;
  readonly remoteConfig: boolean;
  readonly fetch: Fetch | undefined;
};

type Range = { readonly min: number; readonly max: number };

/** Longest timer that the runtimes support. */
const LONGEST_MS = 2_147_483_647;
const MOST_EVENTS = 100;

/** Reads options one by one, from the code or else the environment. An invalid value is reported and ignored. */
const createReader = (given: ClientOptions, report: Report) => {
  const env = given.env ?? readEnvironment();
  const fromEnv = (name: string): string | undefined => {
    const value = env[`SPANLEDGER_${name}`];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const bad = (name: string, expected: string): undefined => {
    report({ kind: 'configuration', message: `${name} must be ${expected}; its default is used`, events: 0 });
    return undefined;
  };
  const pick = (value: unknown, name: string): unknown => value ?? fromEnv(name);
  return {
    text(value: string | undefined, name: string): string | undefined {
      const found = pick(value, name);
      return found === undefined || typeof found === 'string' ? found : bad(name, 'text');
    },
    flag(value: boolean | undefined, name: string): boolean | undefined {
      const found = pick(value, name);
      if (found === undefined || typeof found === 'boolean') return found;
      if (typeof found === 'string' && /^(true|1|yes|on)$/i.test(found)) return true;
      if (typeof found === 'string' && /^(false|0|no|off)$/i.test(found)) return false;
      return bad(name, 'true or false');
    },
    number(value: number | undefined, name: string, { min, max }: Range): number | undefined {
      const found = pick(value, name);
      if (found === undefined) return undefined;
      const figure = Number(found);
      return figure >= min && figure <= max ? figure : bad(name, `a number from ${min} to ${max}`);
    },
    list(name: string): string[] | undefined {
      return fromEnv(name)
        ?.split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
    },
  };
};

const redaction = (given: ClientOptions['redact'], read: ReturnType<typeof createReader>) => {
  if (given !== undefined) {
    const replace = 'replace' in given;
    return { redactKeys: [...(replace ? given.replace : given)].map(String), replaceRedactKeys: replace };
  }
  const replaced = read.list('REDACT_REPLACE');
  return {
    redactKeys: replaced ?? read.list('REDACT') ?? [],
    replaceRedactKeys: replaced !== undefined,
  };
};

/** Combines options, environment and defaults. Never throws; invalid values are reported. */
export const readOptions = (given: ClientOptions, report: Report): Settings => {
  const read = createReader(given, report);
  const count: Range = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const ms: Range = { min: 1, max: LONGEST_MS };
  return {
    apiKey: read.text(given.apiKey, 'API_KEY'),
    accessToken: read.text(given.accessToken, 'ACCESS_TOKEN'),
    baseUrl: (read.text(given.baseUrl, 'BASE_URL') ?? 'http://127.0.0.1:4318').replace(/\/+$/, ''),
    enabled: read.flag(given.enabled, 'ENABLED') ?? true,
    storePrompts: read.flag(given.storePrompts, 'STORE_PROMPTS') ?? false,
    ...redaction(given.redact, read),
    sampleRate: read.number(given.sampleRate, 'SAMPLE_RATE', { min: 0, max: 1 }) ?? 1,
    environment: read.text(given.environment, 'ENVIRONMENT'),
    release: read.text(given.release, 'RELEASE'),
    flushIntervalMs: read.number(given.flushIntervalMs, 'FLUSH_INTERVAL_MS', ms),
    maxBatchSize: read.number(given.maxBatchSize, 'MAX_BATCH_SIZE', { min: 1, max: MOST_EVENTS }),
    maxQueueEvents: read.number(given.maxQueueEvents, 'MAX_QUEUE_EVENTS', count) ?? 100_000,
    maxQueueBytes: read.number(given.maxQueueBytes, 'MAX_QUEUE_BYTES', count) ?? 64 * 1_048_576,
    requestTimeoutMs: read.number(given.requestTimeoutMs, 'REQUEST_TIMEOUT_MS', ms) ?? 10_000,
    flushTimeoutMs: read.number(given.flushTimeoutMs, 'FLUSH_TIMEOUT_MS', ms) ?? 5_000,
    flushAtExit: read.flag(given.flushAtExit, 'FLUSH_AT_EXIT') ?? true,
    mask: given.mask,
    openTelemetry: given.openTelemetry,
    remoteConfig: read.flag(given.remoteConfig, 'REMOTE_CONFIG') ?? true,
    fetch: given.fetch,
  };
};
