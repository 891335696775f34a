import { z } from 'zod';
import { type BaseContext, defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { type Fed, startIngest } from './feed.ts';
import { count, type FileOptions, fileOptions, withFilledFile } from './filled-file.ts';
import type { Target } from './target.ts';

/** Of the thirty days that the file holds. */
const KEPT_DAYS = 1;

export const benchPurge = defineCommand({
  name: 'bench purge',
  summary: 'Measure ingest while retention deletes most of a file',
  options: {
    ...fileOptions,
    rate: { value: 'N', summary: 'Batches per minute', type: count(1), default: '1000' },
    seconds: {
      value: 'N',
      summary: 'Seconds of ingest alone to measure first',
      type: count(1),
      default: '30',
    },
  },
  examples: ['spanledger bench purge', 'spanledger bench purge --events 10000000 --json'],
  run: async (ctx) => {
    const result = await measurePurge(ctx, ctx.options);
    ctx.output.result(result, () => ctx.output.table(columns, Object.entries(describe(result))));
  },
});

interface PurgeOptions extends FileOptions {
  readonly rate: number;
  readonly seconds: number;
}

const measurePurge = (ctx: BaseContext, options: PurgeOptions) =>
  withFilledFile(ctx, options, async (target, self) => {
    ctx.output.info('Measuring ingest alone');
    const alone = startIngest(target, options.rate);
    await Bun.sleep(options.seconds * 1000);
    const quiet = await alone.stop();
    ctx.output.info('Measuring ingest during deletion');
    const beside = startIngest(target, options.rate);
    const started = performance.now();
    const deleted = await purge(self, target);
    const seconds = (performance.now() - started) / 1000;
    const busy = await beside.stop();
    return { quiet, busy, ratio: busy.p99 / quiet.p99, deleted, seconds, options };
  });

/** Sets retention to one day and runs the nightly job. @returns the number of deleted events */
const purge = async (self: readonly string[], target: Target): Promise<number> => {
  const response = await fetch(`${target.url}/v1/projects/${target.projectId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${target.bearer}` },
    body: JSON.stringify({ retentionDays: KEPT_DAYS }),
  });
  if (!response.ok) throw new Error(`retention could not be set: ${await response.text()}`);
  const job = Bun.spawn([...self, 'jobs', 'run', 'retention.delete_expired', '--json', '--db', target.path], {
    stdin: 'ignore',
    stdout: 'pipe',
  });
  const told = z
    .object({ result: z.object({ deleted: z.object({ events: z.number() }) }) })
    .parse(await new Response(job.stdout).json());
  return told.result.deleted.events;
};

type PurgeResult = Awaited<ReturnType<typeof measurePurge>>;

const columns: readonly Column<[string, string]>[] = [
  { header: '', value: ([name]) => ({ text: name, tone: 'dim' }), fixed: true },
  { header: '', value: ([, value]) => value, fixed: true },
];

const latency = ({ p50, p99, batches }: Fed): string =>
  `${p50.toFixed(1)} · ${p99.toFixed(1)} ms (${batches} batches)`;

const describe = ({ quiet, busy, ratio, deleted, seconds }: PurgeResult): Record<string, string> => ({
  'Ingest alone, p50 · p99': latency(quiet),
  'During deletion, p50 · p99': latency(busy),
  'p99 ratio': ratio.toFixed(2),
  'Events deleted': `${deleted.toLocaleString('en-US')} in ${seconds.toFixed(1)} s`,
});
