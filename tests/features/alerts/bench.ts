/**
 * What a round of evaluation costs: `bun tests/features/alerts/bench.ts [--events 1000000] [--rules 1000] [--rounds 5]`.
 * It fills a project with calls of 100 models over 30 days, adds rules by model, and prints the CPU time of the first
 * round, which reads the past, and of later ones, with all reading, judging and writing.
 *
 * `--file PATH` only fills that file if there is none, which takes minutes for ten million events; later runs use a copy.
 *
 * `--ingest 100` then sends so many requests of one event a second, minutes without a round and minutes with one in turn,
 * as a server has them, and prints how long requests take. It runs the threads of a server and prints the CPU time of each
 * during a round. A quiet machine is needed. `--minute 10` makes a minute 10 seconds, `--turns 3` is how many there are.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { initLedger } from '../../../src/core/auth/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { listProjects } from '../../../src/core/projects/index.ts';
import { operatorScope } from '../../../src/core/tenancy/index.ts';
import { createAlert } from '../../../src/features/alerts/change/save-alert.ts';
import { alertInput } from '../../../src/features/alerts/contract.ts';
import { evaluateAlerts } from '../../../src/features/alerts/evaluate/jobs.ts';
import { modules } from '../../../src/features.ts';
import { DAY_MS, formatInstant, MINUTE_MS } from '../../../src/lib/time.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rules: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    ingest: { type: 'string', default: '0' },
    minute: { type: 'string', default: '60' },
    turns: { type: 'string', default: '3' },
    file: { type: 'string' },
  },
});
const [events, rules, rounds] = [Number(values.events), Number(values.rules), Number(values.rounds)];
const rate = Number(values.ingest);
const MODELS = 100;
const DAYS = 30;
const BATCH = 100;

const folder = mkdtempSync(join(tmpdir(), 'alerts-bench-'));
const { file = '' } = values;
const path = file === '' || existsSync(file) ? join(folder, 'bench.db') : file;
/** Whether the file has the events already. */
const isPrepared = existsSync(file);
if (isPrepared) copyFileSync(file, path, constants.COPYFILE_FICLONE);
const config = loadConfig({
  env: { DATABASE_URL: path, LOG_LEVEL: 'silent' },
}).values;
let clock = Date.UTC(2026, 5, 15, 12);
const app = openApp({
  config,
  mode: rate > 0 ? 'serve' : 'command',
  now: () => clock,
  rateLimits: false,
});
const { ctx } = app;
const apiKey = isPrepared ? readFileSync(`${file}.key`, 'utf8') : await init();
const [project] = await listProjects(ctx);
if (project === undefined) throw new Error('there is no project');

async function init(): Promise<string> {
  const { apiKey } = await app.act(initLedger, {
    org: 'Acme',
    project: 'web',
    email: 'ada@example.com',
    password: 'correct horse battery',
  });
  await app.act(setPlan, { organization: 'Acme', plan: 'scale' });
  return apiKey;
}

/** Thirty days of events, sealed from time to time as a server does. */
async function fill(): Promise<void> {
  const seal = modules.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name.includes('seal'));
  const parts = Math.ceil(events / 500_000);
  const length = (DAYS * DAY_MS) / parts;
  for (let part = 0; part < parts; part++) {
    const from = clock - DAYS * DAY_MS + part * length;
    await send(from, from + length, Math.round(events / parts));
    if (seal !== undefined) await runJob(ctx, seal, 'schedule');
  }
  writeFileSync(`${path}.key`, apiKey);
}

async function send(from: number, to: number, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - sent) }, (_, i) =>
      JSON.stringify({
        provider: 'openai',
        model: `model-${(sent + i) % MODELS}`,
        environment: i % 4 === 0 ? 'staging' : 'production',
        status: i % 20 === 0 ? 'error' : 'success',
        input_tokens: 100 + i,
        output_tokens: 50,
        latency_ms: 200 + ((sent * 7 + i * 13) % 3_000),
        timestamp: formatInstant(from + Math.floor(((sent + i) / count) * (to - from))),
      }),
    );
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' };
    const init = { method: 'POST', headers, body: lines.join('\n') };
    const response = await app.fetch(new Request('http://localhost/v1/ingest', init), { address: null });
    if (response.status !== 202) throw new Error(await response.text());
  }
}

const CONDITIONS = [
  { kind: 'threshold', operator: 'gt', critical: 0.5 },
  { kind: 'change', direction: 'up', percent: 500, compare: 'previous' },
  { kind: 'change', direction: 'up', percent: 500, compare: 'sameTimeLastWeek' },
] as const;
const MEASURES = ['errorRate', 'cost', 'requests', 'latencyAvg', 'latencyP95'] as const;
const WINDOWS = ['5m', '15m', '30m', '1h', '4h', '1d', '7d'] as const;

async function addRules(): Promise<void> {
  if (project === undefined) return;
  const by = {
    scope: operatorScope(project),
    actor: { kind: 'system', name: 'bench' },
    userId: null,
  } as const;
  for (let i = 0; i < rules; i++) {
    const condition = CONDITIONS[i % CONDITIONS.length];
    const measure = condition?.kind === 'threshold' ? 'errorRate' : MEASURES[i % MEASURES.length];
    const window = WINDOWS[i % WINDOWS.length];
    const filters = [{}, { environment: 'production' }, { environment: 'staging' }, { filter: 'latency>1s' }][
      i % 4
    ];
    const rule = { name: `rule ${i}`, measure, groupBy: 'model', window, condition, filters };
    await createAlert(ctx, by, alertInput.parse(rule));
  }
}

const memory = (): string => (process.memoryUsage.rss() / 1e6).toFixed(0);

/** CPU seconds of each thread and child process so far, by name and id; Linux only. */
function cpuByThread(): Map<string, number> {
  const found = new Map<string, number>();
  const add = (kind: string, path: string): void => {
    try {
      const stat = readFileSync(path, 'utf8');
      const [, id = '', name = '', rest = ''] = /^(\d+) \((.*)\) (.*)$/s.exec(stat) ?? [];
      const fields = rest.split(' ');
      found.set(`${kind} ${name} ${id}`, (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      // It has ended.
    }
  };
  for (const id of readdirSync('/proc/self/task')) add('thread', `/proc/self/task/${id}/stat`);
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
  for (const id of children === '' ? [] : children.split(' ')) add('process', `/proc/${id}/stat`);
  return found;
}

async function measure(name: string): Promise<void> {
  const before = rate > 0 ? cpuByThread() : new Map<string, number>();
  const [cpu, since] = [process.cpuUsage(), performance.now()];
  const { status, result } = await runJob(ctx, evaluateAlerts, 'schedule');
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${name}: ${((user + system) / 1e6).toFixed(2)} s CPU, ${((performance.now() - since) / 1e3).toFixed(2)} s, ${memory()} MB, ${status} ${JSON.stringify(result)}`,
  );
  const spent = [...(rate > 0 ? cpuByThread() : [])].map(
    ([id, now]) => [id, now - (before.get(id) ?? 0)] as const,
  );
  for (const [id, seconds] of spent) if (seconds >= 0.02) console.log(`  ${id}: ${seconds.toFixed(2)} s`);
}

/** A request and how long it took, in milliseconds. */
type Taken = { readonly took: number; readonly inRound: boolean };

/** Requests at a steady rate for a minute, with a round that begins with the minute or without. */
async function passMinute(withRound: boolean): Promise<Taken[]> {
  const found: Taken[] = [];
  const since = performance.now();
  let isRunning = withRound;
  // A round judges one minute, as those of a server do.
  if (withRound) clock += MINUTE_MS;
  const round = withRound
    ? runJob(ctx, evaluateAlerts, 'schedule').then(() => {
        isRunning = false;
      })
    : null;
  const waiting: Promise<void>[] = [];
  for (let i = 0; i < rate * Number(values.minute); i++) {
    const due = since + (i * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    const inRound = isRunning;
    // A request that is late because the thread was busy counts from when it was due.
    waiting.push(
      send(clock - 1, clock, 1).then(() => void found.push({ took: performance.now() - due, inRound })),
    );
  }
  await Promise.all([...waiting, round]);
  return found;
}

/** Minutes without and with a round in turn, so that a change of the machine meets both. */
async function compareIngest(): Promise<void> {
  const [quiet, busy]: [Taken[], Taken[]] = [[], []];
  for (let turn = 0; turn < Number(values.turns); turn++) {
    quiet.push(...(await passMinute(false)));
    busy.push(...(await passMinute(true)));
  }
  const at = (all: readonly Taken[], q: number): string => {
    const sorted = all.map(({ took }) => took).sort((a, b) => a - b);
    return `${(sorted[Math.floor(sorted.length * q)] ?? 0).toFixed(2)} ms`;
  };
  const during = busy.filter(({ inRound }) => inRound);
  for (const q of [0.5, 0.99])
    console.log(
      `ingest p${q * 100}: ${at(quiet, q)} in minutes without a round, ${at(busy, q)} with one; ${at(during, q)} of the ${during.length} requests during a round`,
    );
}

try {
  if (!isPrepared) await fill();
  if (path !== file) await measureAll();
} finally {
  await app.close();
  rmSync(folder, { recursive: true });
}

async function measureAll(): Promise<void> {
  await addRules();
  console.log(`${events} events, ${rules} rules by ${MODELS} models`);
  clock += 2 * MINUTE_MS;
  await measure('first round');
  for (let round = 1; round <= rounds; round++) {
    clock += MINUTE_MS;
    await send(clock - MINUTE_MS, clock, Math.round(events / DAYS / 1_440));
    await measure(`round ${round}`);
  }
  if (rate > 0) await compareIngest();
}
