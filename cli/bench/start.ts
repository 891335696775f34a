import { resolve } from 'node:path';
import { z } from 'zod';
import { type BaseContext, defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { percentile } from './load.ts';
import { usageOf } from './processes.ts';

/** A server without requests for this long is idle. */
const SETTLE_MS = 3_000;
const POLL_MS = 2;

export const benchStart = defineCommand({
  name: 'bench start',
  summary: 'Measure the start-up time and idle memory of a server on a file',
  options: {
    file: { value: 'FILE', summary: 'A database that no server is using', required: true },
    rounds: {
      value: 'N',
      summary: 'Number of starts',
      type: z.coerce.number().int().min(1),
      default: '5',
    },
  },
  examples: ['spanledger bench start --file ./bench.db'],
  run: async (ctx) => {
    const result = await measureStarts(ctx, resolve(ctx.options.file), ctx.options.rounds);
    ctx.output.result(result, () => ctx.output.table(columns, Object.entries(describe(result))));
  },
});

const measureStarts = async (ctx: BaseContext, path: string, rounds: number) => {
  const { selfCommand } = await import('../../src/db/self-command.ts');
  const healthyMs: number[] = [];
  let rssBytes = 0;
  for (let round = 0; round < rounds; round++) {
    ctx.output.detail(`start ${round + 1} of ${rounds}`);
    const port = freePort();
    const started = performance.now();
    const flags = ['--db', path, '--port', String(port), '--quiet'];
    const child = Bun.spawn([...selfCommand(), 'serve', ...flags], { stdin: 'ignore', stdout: 'ignore' });
    try {
      await untilHealthy(port, child);
      healthyMs.push(performance.now() - started);
      if (round === rounds - 1) await Bun.sleep(SETTLE_MS);
      rssBytes = usageOf(child.pid).rssBytes;
    } finally {
      child.kill('SIGTERM');
      await child.exited;
    }
  }
  return {
    healthyMs: { p50: percentile(healthyMs, 0.5), max: Math.max(...healthyMs) },
    idleMegabytes: rssBytes / 1e6,
  };
};

/** A port that is free at the moment. */
const freePort = (): number => {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop();
  return port;
};

const untilHealthy = async (port: number, child: { exitCode: number | null }): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (response?.status === 200) return;
    await Bun.sleep(POLL_MS);
  }
};

type StartResult = Awaited<ReturnType<typeof measureStarts>>;

const columns: readonly Column<[string, string]>[] = [
  { header: '', value: ([name]) => ({ text: name, tone: 'dim' }), fixed: true },
  { header: '', value: ([, value]) => value, fixed: true },
];

const describe = ({ healthyMs, idleMegabytes }: StartResult): Record<string, string> => ({
  'Start to /healthz, p50 · max': `${Math.round(healthyMs.p50)} · ${Math.round(healthyMs.max)} ms`,
  'Memory idle': `${Math.round(idleMegabytes)} MB`,
});
