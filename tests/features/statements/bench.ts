/**
 * What statements of a month cost: `bun tests/features/statements/bench.ts [--events 10000000] [--customers 10000]`.
 * It fills a project with calls of a month, each of a customer by a tag, seals them, and then lists the statements of the
 * open month, closes it, and lists what is closed. It prints CPU time, elapsed time and the most resident memory of this
 * process and the reader processes together; what they share is counted in each.
 *
 * `--file PATH` only fills that file if there is none, which takes minutes for ten million events; later runs use a copy.
 */
import { constants, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { initLedger } from '../../../src/core/auth/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { findOrganization, setPlan } from '../../../src/core/orgs/index.ts';
import {
  closeStatementsAction,
  createStatementsAction,
  readStatements,
} from '../../../src/features/statements/index.ts';
import { modules } from '../../../src/features.ts';
import { formatInstant } from '../../../src/lib/time.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    customers: { type: 'string', default: '10000' },
    file: { type: 'string' },
  },
});
const [events, customers] = [Number(values.events), Number(values.customers)];
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o3'];
const BATCH = 100;
const [FROM, TO] = [Date.UTC(2026, 4, 1), Date.UTC(2026, 5, 1)];

const folder = mkdtempSync(join(tmpdir(), 'statements-bench-'));
const { file = '' } = values;
const isPrepared = existsSync(file);
const path = file === '' || isPrepared ? join(folder, 'bench.db') : file;
if (isPrepared) copyFileSync(file, path, constants.COPYFILE_FICLONE);
const app = openApp({
  config: loadConfig({ env: { DATABASE_URL: path, LOG_LEVEL: 'silent' } }).values,
  mode: 'serve',
  now: () => TO + 3_600_000,
  rateLimits: false,
});
const { ctx } = app;

async function fill(): Promise<void> {
  const { apiKey } = await app.act(initLedger, {
    org: 'Acme',
    project: 'web',
    email: 'ada@example.com',
    password: 'correct horse battery',
  });
  await app.act(setPlan, { organization: 'Acme', plan: 'scale', monthlyEvents: 1e9, monthlyBytes: 1e15 });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' };
  const send = async (sent: number): Promise<void> => {
    const lines = Array.from({ length: Math.min(BATCH, events - sent) }, (_, i) =>
      JSON.stringify({
        provider: 'openai',
        // Another one in each round of customers, so that a customer has calls of all models.
        model: MODELS[(sent + i + Math.floor((sent + i) / customers)) % MODELS.length],
        input_tokens: 500 + ((sent * 7 + i * 13) % 3_000),
        cached_input_tokens: 100,
        output_tokens: 50 + (i % 40),
        timestamp: formatInstant(FROM + Math.floor(((sent + i) / events) * (TO - FROM))),
        tags: { customer: `customer ${((sent + i) * 7_919) % customers}` },
      }),
    );
    const init = { method: 'POST', headers, body: lines.join('\n') };
    for (;;) {
      const response = await app.fetch(new Request('http://localhost/v1/ingest', init), { address: null });
      if (response.status === 202) return;
      if (response.status !== 503) throw new Error(await response.text());
      await Bun.sleep(50);
    }
  };
  for (let sent = 0; sent < events; sent += BATCH * 8)
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => sent + i * BATCH)
        .filter((at) => at < events)
        .map(send),
    );
  const seal = modules.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'events.seal_log');
  if (seal !== undefined) await runJob(ctx, seal, 'schedule');
}

/** Processes of this one and its children, from Linux's process table. */
function processes(): number[] {
  const own = process.pid;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid === own || parentOf(pid) === own);
}
const statOf = (pid: number): string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};
const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0);
const TICKS = 100;
const PAGE = 4_096;
/** User and system time in seconds, and resident bytes, of all processes. */
const usage = () =>
  processes()
    .map(statOf)
    .reduce(
      (sum, stat) => ({
        cpu: sum.cpu + (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / TICKS,
        bytes: sum.bytes + Number(stat[21] ?? 0) * PAGE,
      }),
      { cpu: 0, bytes: 0 },
    );

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);

async function measure<T>(what: string, run: () => Promise<T>): Promise<T> {
  const [before, since] = [usage(), performance.now()];
  let most = before.bytes;
  const timer = setInterval(() => {
    most = Math.max(most, usage().bytes);
  }, 100);
  const result = await run();
  clearInterval(timer);
  const cpu = usage().cpu - before.cpu;
  const seconds = (performance.now() - since) / 1000;
  process.stdout.write(
    `${what}: ${cpu.toFixed(1)} s CPU, ${seconds.toFixed(1)} s elapsed, at most ${mib(most)} MiB resident, ${mib(most - before.bytes)} more than before\n`,
  );
  return result;
}

try {
  if (!isPrepared) await measure(`fill ${events} events of ${customers} customers`, fill);
  if (file === '' || isPrepared) await run();
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const { id: organizationId } = await findOrganization(ctx, 'Acme');
  const by = 'tag:customer' as const;
  const month = '2026-05';
  await app.act(createStatementsAction, { organization: 'Acme', definition: { by, markupPercent: 20 } });
  const page = { organizationId, by, month, from: 0, limit: 50, lines: false };
  const open = await measure('list the open month', () => readStatements(ctx, page));
  await measure('list it again', () => readStatements(ctx, page));
  const closed = await measure('close the month', () =>
    app.act(closeStatementsAction, { organization: 'Acme', by, month }),
  );
  await measure('list the closed month', () => readStatements(ctx, page));
  process.stdout.write(
    `${closed.count} statements, ${closed.calls} calls, ${closed.costNano} nano-dollars\n`,
  );
  if (open.costNano !== closed.costNano || closed.calls !== events) throw new Error('the sums differ');
}
