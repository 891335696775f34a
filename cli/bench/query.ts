import { type BaseContext, defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { startIngest } from './feed.ts';
import { count, type FileOptions, fileOptions, withFilledFile } from './filled-file.ts';
import { listReads, measureReads, type Read, type ReadResult } from './reads.ts';
import type { Target } from './target.ts';

export const benchQuery = defineCommand({
  name: 'bench query',
  summary: 'Measure every read of a filled file, with and without ingest',
  options: {
    events: fileOptions.events,
    customers: {
      value: 'N',
      summary: 'Distinct values of the tag that costs are split by',
      type: count(0),
      default: '0',
    },
    file: fileOptions.file,
    rounds: { value: 'N', summary: 'Times to run each read', type: count(1), default: '30' },
    rate: {
      value: 'N',
      summary: 'Batches per minute in the second half; 0 skips it',
      type: count(0),
      default: '1000',
    },
    readers: {
      value: 'N',
      summary: 'Readers that poll every second while ingest is measured',
      type: count(0),
      default: '4',
    },
  },
  examples: ['spanledger bench query', 'spanledger bench query --events 10000000 --file ./bench.db --json'],
  run: async (ctx) => {
    const result = await measureQueries(ctx, ctx.options);
    ctx.output.result(result, () => {
      ctx.output.table(columns, result.reads);
      ctx.output.line({ text: describe(result), tone: 'dim' });
    });
  },
});

interface QueryOptions extends FileOptions {
  readonly customers: number;
  readonly rounds: number;
  readonly rate: number;
  readonly readers: number;
}

type Row = ReadResult & { readonly busy: ReadResult | undefined };

const measureQueries = (ctx: BaseContext, options: QueryOptions) =>
  withFilledFile(ctx, options, async (target, self) => {
    for (const job of JOBS) await runJob([...self], target.path, job);
    const list = await listReads(target, options.customers > 0 ? 'customer' : 'team');
    const onRound = (round: number): void => ctx.output.detail(`round ${round + 1} of ${options.rounds}`);
    await measureReads(target, list, 2, onRound);
    ctx.output.info('Measuring reads');
    const quiet = await measureReads(target, list, options.rounds, onRound);
    const busy = options.rate === 0 ? null : await measureBusy(ctx, target, options, list);
    const polled = options.rate === 0 ? null : await measurePolled(ctx, target, options, list);
    const reads: Row[] = quiet.map((read, i) => ({ ...read, busy: busy?.reads[i] }));
    return {
      reads,
      ingest: busy?.ingest ?? null,
      ingestWithReaders: polled,
      rssMegabytes: target.usage().rssBytes / 1e6,
      fileMegabytes: target.fileBytes() / 1e6,
      options,
    };
  });

/** The server's jobs that prepare what reads use. */
const JOBS = ['events.pack_labels', 'events.index_ids', 'events.sum_runs'];

const runJob = async (self: string[], path: string, name: string): Promise<void> => {
  const job = Bun.spawn([...self, 'jobs', 'run', name, '--db', path, '--json'], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const text = await new Response(job.stdout).text();
  if ((await job.exited) !== 0 || JSON.parse(text).status !== 'ok')
    throw new Error(`${name}: ${text}${await new Response(job.stderr).text()}`);
};

/** The same reads while batches come in at the given rate. */
const measureBusy = async (
  ctx: BaseContext,
  target: Target,
  { rounds, rate }: QueryOptions,
  list: readonly Read[],
) => {
  ctx.output.info(`Measuring reads during ${rate} batches per minute`);
  const ingest = startIngest(target, rate);
  const reads = await measureReads(target, list, rounds, () => {});
  return { reads, ingest: await ingest.stop() };
};

/** Ingest at the given rate while each of some readers polls the overview and costs of 30 days every second. */
const measurePolled = async (
  ctx: BaseContext,
  target: Target,
  { rounds, rate, readers }: QueryOptions,
  list: readonly Read[],
) => {
  ctx.output.info(`Measuring ${rate} batches per minute with ${readers} readers`);
  const figures = list.slice(0, 4);
  const ingest = startIngest(target, rate);
  const poll = async (reader: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const next = Bun.sleep(1000);
      await measureReads(target, [figures[(round + reader) % figures.length] as Read], 1, () => {});
      await next;
    }
  };
  const polling = Array.from({ length: readers }, (_, reader) => poll(reader));
  await Promise.all([Bun.sleep(rounds * 1000), ...polling]);
  return await ingest.stop();
};

const ms = (value: number | undefined) => ({
  text: value === undefined ? '' : value.toFixed(1),
  align: 'right' as const,
});

const columns: readonly Column<Row>[] = [
  { header: 'read', value: ({ name }) => name, fixed: true },
  { header: 'p50 ms', value: ({ p50 }) => ms(p50), fixed: true },
  { header: 'p95 ms', value: ({ p95 }) => ms(p95), fixed: true },
  { header: 'p50 busy', value: ({ busy }) => ms(busy?.p50), fixed: true },
  { header: 'p95 busy', value: ({ busy }) => ms(busy?.p95), fixed: true },
  {
    header: 'failed',
    value: ({ failures, busy }) => ({ text: String(failures + (busy?.failures ?? 0)), align: 'right' }),
  },
];

const describe = ({
  ingest,
  ingestWithReaders,
  rssMegabytes,
  fileMegabytes,
  options,
}: Awaited<ReturnType<typeof measureQueries>>): string => {
  const figures = [`file ${Math.round(fileMegabytes)} MB`, `memory ${Math.round(rssMegabytes)} MB`];
  const add = (label: string, sent: typeof ingest): void => {
    if (sent !== null) figures.push(`${label} p50 ${sent.p50.toFixed(1)} p99 ${sent.p99.toFixed(1)} ms`);
  };
  add('ingest during reads', ingest);
  add(`ingest with ${options.readers} polling readers`, ingestWithReaders);
  return figures.join(', ');
};
