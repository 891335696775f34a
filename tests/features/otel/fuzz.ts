import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { type Case, createRandom, mutatedCases } from './mutate.ts';

/** Allowed reply statuses: accepted, or refused with a reason. */
const ALLOWED: ReadonlySet<number> = new Set([202, 200, 400, 413]);
const TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;
/** Avoids the rate limits of keys and login sessions. */
const STEP_MS = 250;
const INSPECTED_EACH = 4;

export type FuzzReport = {
  readonly cases: number;
  readonly seed: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds of the case that took longest. */
  readonly slowest: { readonly kind: string; readonly ms: number };
  readonly memoryMb: number;
};

/**
 * Sends damaged bodies to the real routes, which store the valid parts, and every fourth one to the inspector.
 * @throws at the first reply that is neither a success nor a refusal with a reason
 */
export async function fuzz(app: TestApp, cases: number, seed: number): Promise<FuzzReport> {
  const statuses: Record<string, number> = {};
  const source = mutatedCases(createRandom(seed));
  let slowest = { kind: '', ms: 0 };
  for (let i = 0; i < cases; i++) {
    const one = source.next().value;
    const started = performance.now();
    const response = await send(app, one, i % INSPECTED_EACH === 0);
    const text = await response.text();
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { kind: one.kind, ms: Math.round(ms) };
    const isRefused = response.status >= 400;
    if (!ALLOWED.has(response.status) || (isRefused && typeof JSON.parse(text).error !== 'string')) {
      const body = Buffer.from(one.body.subarray(0, 400)).toString('base64');
      throw new Error(`case ${i} of seed ${seed}, ${one.kind}: ${response.status} ${text}; body ${body}`);
    }
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    app.clock.advance(STEP_MS);
  }
  const memoryMb = Math.round(process.memoryUsage.rss() / 1_048_576);
  return { cases, seed, statuses, slowest, memoryMb };
}

function send(app: TestApp, { body, encoding }: Case, inspect: boolean): Promise<Response> {
  const { projectId, bearer, apiKey } = app.seed;
  const path = inspect ? `/v1/otel/inspect?projectId=${projectId}` : '/v1/otel';
  const headers = { 'content-type': TYPES[encoding] };
  return app.fetch(path, {
    method: 'POST',
    body: Uint8Array.from(body),
    headers,
    ...(inspect ? { bearer } : { apiKey }),
  });
}

if (import.meta.main) {
  const option = (name: string, otherwise: number): number => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(process.argv[at + 1]);
  };
  const app = await openTestApp();
  console.log(await fuzz(app, option('cases', 100_000), option('seed', Date.now() % 1_000_000)));
  await app.close();
}
