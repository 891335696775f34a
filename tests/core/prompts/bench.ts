/**
 * Measures fetches of prompts with ETags: `bun tests/core/prompts/bench.ts [fetches] [prompts]`, by default 10,000
 * fetches of 1,000 prompts by 4 clients over HTTP. Prints percentiles in milliseconds.
 */
import { openTestApp } from '../../helpers/app.ts';

const FETCHES = Number(process.argv[2] ?? 10_000);
const PROMPTS = Number(process.argv[3] ?? 1_000);
const CLIENTS = 4;

const world = await openTestApp({ mode: 'serve', now: Date.now(), rateLimits: false, checkReplies: false });
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => world.app.fetch(request, { address: '127.0.0.1' }),
});
const text = 'You sort the tickets of {{team}} by urgency. '.repeat(50);
for (let i = 0; i < PROMPTS; i++) {
  const body = { name: `bench/p${i}`, template: text, labels: ['production'] };
  const { projectId, bearer } = world.seed;
  const reply = await world.fetch(`/v1/prompts?projectId=${projectId}`, { bearer, json: body });
  if (reply.status !== 201) throw new Error(await reply.text());
}

const etags = new Map<number, string>();
const times: number[] = [];
const statuses: Record<number, number> = {};
let next = 0;
const client = async (): Promise<void> => {
  while (next < FETCHES) {
    const i = (next++ * 7) % PROMPTS;
    const started = performance.now();
    const reply = await fetch(
      `http://127.0.0.1:${server.port}/v1/sdk/prompts/bench%2Fp${i}?candidates=true`,
      {
        headers: { 'x-api-key': world.seed.apiKey, 'if-none-match': etags.get(i) ?? '' },
      },
    );
    await reply.text();
    times.push(performance.now() - started);
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
    etags.set(i, reply.headers.get('etag') ?? '');
  }
};
await Promise.all(Array.from({ length: CLIENTS }, client));
times.sort((a, b) => a - b);
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
console.log(
  JSON.stringify({
    fetches: FETCHES,
    prompts: PROMPTS,
    statuses,
    p50: at(0.5),
    p99: at(0.99),
    max: at(0.9999),
  }),
);
await server.stop(true);
await world.close();
