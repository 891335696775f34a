// How far apart a wrong password and an unknown address are, with the real cost of a hash:
// `bun run test:login-time [attempts]`. Prints p50 and p95 of both, in ms of wall time and of CPU time.
import pino from 'pino';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createUser, initLedger } from '../../../src/core/auth/index.ts';
import { openFolder } from '../../helpers/folder.ts';

const PEOPLE = 50;
const attempts = Number(process.argv[2] ?? 1_000);

const folder = openFolder();
let now = Date.now();
const app = openApp({
  config: loadConfig({ env: { DATABASE_URL: `file:${folder.path('login-time.db')}` } }).values,
  mode: 'command',
  now: () => now,
  log: pino({ level: 'silent' }),
});
const password = 'correct horse battery';
await app.act(initLedger, { org: 'Acme', project: 'p', email: 'ada@example.com', password });
for (let i = 0; i < PEOPLE; i++) {
  const person = { email: `known-${i}@example.com`, password, organization: 'Acme', role: 'viewer' };
  await app.act(createUser, person);
}

type Sample = { readonly wall: number; readonly cpu: number };

async function attempt(email: string): Promise<Sample> {
  const body = JSON.stringify({ email, password: 'a wrong password' });
  const request = new Request('http://localhost/v1/auth/login', { method: 'POST', body });
  const [begun, spent] = [performance.now(), process.cpuUsage()];
  const reply = await app.fetch(request, { address: '198.51.100.1' });
  const { user, system } = process.cpuUsage(spent);
  if (reply.status !== 401) throw new Error(`answered ${reply.status}`);
  return { wall: performance.now() - begun, cpu: (user + system) / 1_000 };
}

const at = (values: number[], p: number): string =>
  (values.sort((a, b) => a - b)[Math.floor(values.length * p)] ?? 0).toFixed(2);
const summary = (samples: readonly Sample[]) => {
  const [wall, cpu] = [samples.map((each) => each.wall), samples.map((each) => each.cpu)];
  return { wallP50: at(wall, 0.5), wallP95: at(wall, 0.95), cpuP50: at(cpu, 0.5), cpuP95: at(cpu, 0.95) };
};

const samples: Record<'known' | 'unknown', Sample[]> = { known: [], unknown: [] };
await attempt('known-0@example.com');
for (let i = 0; i < attempts; i++) {
  // So far apart that the limits on failures never speak.
  now += 120_000;
  const order = i % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
  for (const kind of order) samples[kind].push(await attempt(`${kind}-${i % PEOPLE}@example.com`));
}
console.table({ 'wrong password': summary(samples.known), 'unknown address': summary(samples.unknown) });
await app.close();
folder.remove();
