// `SOAK_MINUTES=60 bun run soak` sends events and asks for figures, kills a reader process every 30 seconds, and
// prints memory, descriptors and threads of the server each minute. It ends with 1 if they grew or a request failed.
import { readdirSync, readFileSync } from 'node:fs';
import { openFolder } from './helpers/folder.ts';
import { initLedger, runCommand, startServer } from './helpers/server.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60);
const KILL_EVERY_MS = 30_000;
const PASSWORD = 'correct horse battery';
/** A process may keep what the first minutes took; later growth is a leak. */
const MOST_GROWTH = { megabytes: 40, descriptors: 16, threads: 4 } as const;

type Sample = Record<keyof typeof MOST_GROWTH, number>;

function sample(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  return { megabytes: Math.round(field('VmRSS') / 1024), descriptors, threads: field('Threads') };
}

/** The reader processes of the server. */
const readersOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

const folder = openFolder();
const db = folder.path('ledger.db');
const { apiKey, projectId } = await initLedger(db, 'ada@example.com', PASSWORD);
await runCommand(['orgs', 'set-plan', 'Acme', 'scale', '--db', db]);
const server = await startServer(db);
const json = { 'Content-Type': 'application/json' };
const login = await fetch(`${server.url}/v1/auth/login`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
});
const { token } = (await login.json()) as { token: string };
const counts = { batches: 0, queries: 0, kills: 0, interrupted: 0, failed: 0 };
const end = performance.now() + MINUTES * 60_000;
const isOver = (): boolean => performance.now() > end;

async function send(): Promise<void> {
  for (; !isOver(); await Bun.sleep(100)) {
    const lines = Array.from({ length: 100 }, (_, i) =>
      JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: i, output_tokens: 1 }),
    );
    const headers = { 'x-api-key': apiKey, 'Content-Encoding': 'gzip' };
    const body = Bun.gzipSync(lines.join('\n'));
    const { status } = await fetch(`${server.url}/v1/ingest`, { method: 'POST', headers, body });
    if (status === 202) counts.batches++;
    else if (status !== 429 && status !== 503) counts.failed++;
  }
}

/** A query whose process is killed gets 503; any other failure counts. */
async function ask(): Promise<void> {
  for (; !isOver(); await Bun.sleep(300)) {
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await fetch(`${server.url}/v1/costs?projectId=${projectId}`, { headers });
    await reply.arrayBuffer();
    if (reply.ok) counts.queries++;
    else if (reply.status === 503) counts.interrupted++;
    else if (reply.status !== 429) counts.failed++;
  }
}

async function kill(): Promise<void> {
  for (; !isOver(); await Bun.sleep(KILL_EVERY_MS)) {
    const [reader] = readersOf(server.pid);
    if (reader === undefined) continue;
    process.kill(reader, 'SIGKILL');
    counts.kills++;
  }
}

const samples: Sample[] = [];
async function watch(): Promise<void> {
  for (; !isOver(); await Bun.sleep(60_000)) {
    samples.push(sample(server.pid));
    console.log(JSON.stringify({ minute: samples.length - 1, ...samples.at(-1), ...counts }));
  }
}

await Promise.all([send(), ask(), kill(), watch()]);
await server.end('SIGTERM');
folder.remove();
/** The mean of a part of the samples: a single one depends on when garbage was collected. */
const mean = (part: readonly Sample[], of: keyof Sample): number =>
  part.reduce((sum, one) => sum + one[of], 0) / part.length;
const settled = samples.slice(Math.ceil(samples.length / 4));
const half = Math.ceil(settled.length / 2);
const growth = Object.keys(MOST_GROWTH).map((key) => {
  const of = key as keyof Sample;
  return [of, Math.round(mean(settled.slice(-half), of) - mean(settled.slice(0, half), of))] as const;
});
const isFlat = growth.every(([of, by]) => by <= MOST_GROWTH[of]);
console.log(JSON.stringify({ isFlat, growth: Object.fromEntries(growth), ...counts }));
process.exit(isFlat && counts.failed === 0 ? 0 : 1);
