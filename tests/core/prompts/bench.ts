/**
 * Measures fetches of prompts with ETags: `bun tests/core/prompts/bench.ts [fetches] [prompts]`, by default 10,000
 * fetches of 1,000 prompts by 4 clients over HTTP, each prompt first without an ETag and not in the server's memory.
 * The process has served each prompt once before, as a server that runs for some time has. Prints percentiles in
 * milliseconds, of all fetches and of the first ones, and the CPU of the process for a fetch without HTTP. Clients and
 * server share the process, so the times contain the clients' work, too.
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
const { projectId, bearer, apiKey } = world.seed;
const template = 'You sort the tickets of {{team}} by urgency. '.repeat(50);
const prompts = Array.from({ length: PROMPTS }, (_, i) => ({ name: `bench/p${i}`, template }));
const labels = ['production'];
for (let from = 0; from < PROMPTS; from += 1_000) {
  const json = { prompts: prompts.slice(from, from + 1_000), labels };
  const reply = await world.fetch(`/v1/prompt-files?projectId=${projectId}`, { bearer, json });
  if (!reply.ok) throw new Error(await reply.text());
}

const etags = new Map<number, string>();
const statuses: Record<number, number> = {};
const request = (i: number): Request =>
  new Request(`http://127.0.0.1:${server.port}/v1/sdk/prompts/bench%2Fp${i}?candidates=true`, {
    headers: { 'x-api-key': apiKey, 'if-none-match': etags.get(i) ?? '' },
  });

async function get(i: number, send: (asked: Request) => Promise<Response>): Promise<void> {
  const reply = await send(request(i));
  await reply.text();
  statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
  etags.set(i, reply.headers.get('etag') ?? '');
}

/** Microseconds of CPU of this process for one fetch of each prompt. */
async function cpu(): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < PROMPTS; i++) await get(i, (asked) => world.app.fetch(asked, { address: '127.0.0.1' }));
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / PROMPTS);
}

/** A change drops what the server has in memory of the project. */
async function forget(text: string): Promise<void> {
  const json = { template: `${template}${text}`, labels };
  const reply = await world.fetch(`/v1/prompts/bench%2Fp0/versions?projectId=${projectId}`, { bearer, json });
  if (!reply.ok) throw new Error(await reply.text());
}

await cpu();
await forget('!');
etags.clear();
for (const status of Object.keys(statuses)) delete statuses[Number(status)];

const all: number[] = [];
const first: number[] = [];
let next = 0;
const client = async (): Promise<void> => {
  while (next < FETCHES) {
    const i = (next++ * 7) % PROMPTS;
    const isFirst = !etags.has(i);
    const started = performance.now();
    await get(i, fetch);
    const took = performance.now() - started;
    all.push(took);
    if (isFirst) first.push(took);
  }
};
await Promise.all(Array.from({ length: CLIENTS }, client));
const percentiles = (times: number[]): object => {
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
  return { count: times.length, p50: at(0.5), p99: at(0.99), max: at(0.9999) };
};
console.log(JSON.stringify({ prompts: PROMPTS, statuses, all: percentiles(all), first: percentiles(first) }));

const warm = await cpu();
await forget('?');
console.log(JSON.stringify({ cpuMicrosecondsPerFetch: { fromMemory: warm, fromFile: await cpu() } }));
await server.stop(true);
await world.close();
