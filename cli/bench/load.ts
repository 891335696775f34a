import type { Target } from './target.ts';

/**
 * Results of a load: replies by status, acknowledged events, latencies of acknowledged and of refused requests in
 * milliseconds, duration in seconds.
 */
export type LoadResult = {
  statuses: Record<number, number>;
  accepted: number;
  latencies: number[];
  refusals: number[];
  seconds: number;
};

export type LoadOptions = {
  connections: number;
  /** Requests per second over all connections; unlimited when absent. */
  rate?: number;
  path?: string;
  headers?: Record<string, string>;
  eventsPerBatch: number;
  onProgress?: (sent: number) => void;
};

/** Sends each body once over the given number of connections. */
export async function sendAll(
  target: Target,
  bodies: readonly Uint8Array<ArrayBuffer>[],
  options: LoadOptions,
): Promise<LoadResult> {
  const result: LoadResult = { statuses: {}, accepted: 0, latencies: [], refusals: [], seconds: 0 };
  const started = performance.now();
  let next = 0;
  const run = async (): Promise<void> => {
    for (let place = next++; place < bodies.length; place = next++) {
      if (options.rate !== undefined)
        await Bun.sleep(started + (place / options.rate) * 1000 - performance.now());
      await sendOne(target, bodies[place] as Uint8Array<ArrayBuffer>, options, result);
      options.onProgress?.(place + 1);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, run));
  result.seconds = (performance.now() - started) / 1000;
  return result;
}

async function sendOne(
  target: Target,
  body: Uint8Array<ArrayBuffer>,
  options: LoadOptions,
  result: LoadResult,
): Promise<void> {
  const started = performance.now();
  const response = await fetch(`${target.url}${options.path ?? '/v1/ingest'}`, {
    method: 'POST',
    headers: { 'x-api-key': target.apiKey, 'content-encoding': 'gzip', ...options.headers },
    body,
  });
  await response.arrayBuffer();
  const isRefused = response.status === 503;
  (isRefused ? result.refusals : result.latencies).push(performance.now() - started);
  result.statuses[response.status] = (result.statuses[response.status] ?? 0) + 1;
  if (response.status === 202) result.accepted += options.eventsPerBatch;
}

/** The nearest-rank percentile of unsorted values; 0 for an empty list. */
export function percentile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}
