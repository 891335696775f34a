import type { Service } from '../context.ts';

/**
 * A piece of the server's own work, as its operator may send it elsewhere: names of routes and jobs, times, outcomes.
 * Nothing that a sender or a tenant chose is in it: no path, parameter, address, id, body or message of an error.
 */
export type OwnSpan = {
  readonly kind: 'request' | 'job';
  /** `GET /v1/costs`, or the name of a job. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
  readonly error: OwnError | null;
};

/** An unexpected error without its message, which may quote data. */
export type OwnError = {
  /** Name of its class, and its code if it has one, such as `SqliteError SQLITE_FULL`. */
  readonly type: string;
  /** Functions and places of the program, one a line. */
  readonly frames: string;
};

/** What is kept until it is taken: a uniform sample of what went well, and the first failures. */
export type OwnSpans = {
  readonly isOn: boolean;
  add(span: OwnSpan): void;
  /** Takes all that is kept; `seen` counts what was added since the last time. */
  take(): { readonly spans: readonly OwnSpan[]; readonly seen: number };
};

const MOST = { fine: 1_000, failed: 500 } as const;

export const ownSpans: Service<OwnSpans> = {
  name: 'http.own_spans',
  open: ({ config }) => createOwnSpans(config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined),
};

/** @param random for tests; from 0 to 1 */
export function createOwnSpans(isOn: boolean, random: () => number = Math.random): OwnSpans {
  let kept = { fine: [] as OwnSpan[], failed: [] as OwnSpan[], fineSeen: 0, seen: 0 };
  return {
    isOn,
    add(span) {
      if (!isOn) return;
      kept.seen++;
      if (span.hasFailed) {
        if (kept.failed.length < MOST.failed) kept.failed.push(span);
        return;
      }
      // Reservoir sampling: each span stays with the same probability, however many come.
      const place = kept.fineSeen < MOST.fine ? kept.fineSeen : Math.floor(random() * (kept.fineSeen + 1));
      kept.fineSeen++;
      if (place < MOST.fine) kept.fine[place] = span;
    },
    take() {
      const { fine, failed, seen } = kept;
      kept = { fine: [], failed: [], fineSeen: 0, seen: 0 };
      return { spans: [...failed, ...fine], seen };
    },
  };
}

const MOST_FRAMES = 20;

/** The parts of an error that quote no data. */
export function ownError(thrown: unknown): OwnError {
  if (!(thrown instanceof Error)) return { type: 'unknown', frames: '' };
  const name = /^[A-Za-z]{1,60}$/.test(thrown.name) ? thrown.name : 'Error';
  const { code } = thrown as { readonly code?: unknown };
  const known = typeof code === 'string' && /^[A-Z][A-Z_]{1,39}$/.test(code) ? ` ${code}` : '';
  // Without the message: one of several lines may look like frames.
  const [, after = ''] = (thrown.stack ?? '').split(thrown.message || '\n');
  const frames = `\n${after}`.split('\n').filter((line) => /^\s+at [^\s].*:\d+(:\d+)?\)?$/.test(line));
  return { type: `${name}${known}`, frames: frames.slice(0, MOST_FRAMES).join('\n') };
}

/** Spans about these would cause spans, if they were sent to a server of this program, or say nothing. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'POST /v1/otel',
  'POST /v1/otel/v1/traces',
  'POST /v1/traces',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
]);

type Ended = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly endedAt: number;
  readonly ms: number;
  /** What was thrown, if the reply is a 500. */
  readonly thrown: unknown;
};

/** A request that was answered; null for those that are left out. */
export function requestSpan({ method, route, status, endedAt, ms, thrown }: Ended): OwnSpan | null {
  const name = `${method} ${route}`;
  // The name of a path without a route, and an odd method, are a client's inventions.
  if (LEFT_OUT.has(name) || route === 'none') return null;
  return {
    kind: 'request',
    name,
    startedAt: endedAt - ms,
    ms,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    },
    hasFailed: status >= 500,
    error: thrown === undefined ? null : ownError(thrown),
  };
}
