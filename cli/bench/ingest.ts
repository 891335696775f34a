import { join } from 'node:path';
import { z } from 'zod';
import { type BaseContext, defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { makeBatches, SPREAD_MS } from './events.ts';
import { count } from './filled-file.ts';
import { makeFolder } from './folder.ts';
import { percentile, sendAll } from './load.ts';
import { bothOf, measureRaw, type RawResult } from './measure-raw.ts';
import { FORMATS, type Format, makeOtlpBatches } from './otlp.ts';
import { startTarget } from './target.ts';

/** Share of the events that warm up the server and are not measured. */
const WARM_UP = 0.1;

export const benchIngest = defineCommand({
  name: 'bench ingest',
  summary: 'Measure ingest over HTTP against the limit of the storage engine',
  options: {
    // Of a shorter run, the engine's compilers take a tenth: a server runs for days.
    events: { value: 'N', summary: 'How many events to send', type: count(1000), default: '1000000' },
    connections: { value: 'N', summary: 'Concurrent connections', type: count(1), default: '8' },
    batch: {
      value: 'N',
      summary: 'Events per request, at most 100',
      type: count(1).max(100),
      default: '100',
    },
    format: {
      value: 'FORMAT',
      summary: 'Wire format',
      type: z.enum(Object.keys(FORMATS) as [Format, ...Format[]]),
      default: 'native',
    },
    ordered: { summary: 'Send timestamps in order and no prompt hashes, as no real sender does' },
    rate: { value: 'N', summary: 'Requests per minute; unlimited by default', type: count(1) },
    dir: { value: 'DIR', summary: "Folder for the benchmark's files; the temporary folder by default" },
  },
  examples: [
    'spanledger bench ingest',
    'spanledger bench ingest --rate 1000 --events 100000 --json',
    'spanledger bench ingest --format otlp-protobuf',
    'spanledger bench ingest --ordered',
    'spanledger bench ingest --connections 250 --rate 40000',
  ],
  run: async (ctx) => {
    const result = await measureIngest(ctx, ctx.options);
    ctx.output.result(result, () => ctx.output.table(columns, Object.entries(describe(result))));
  },
});

interface IngestOptions {
  readonly events: number;
  readonly connections: number;
  readonly batch: number;
  readonly format: Format;
  readonly ordered: boolean;
  readonly rate: number | undefined;
  readonly dir: string | undefined;
}

const measureIngest = async (ctx: BaseContext, options: IngestOptions) => {
  const { selfCommand } = await import('../../src/db/self-command.ts');
  const folder = makeFolder(options.dir);
  try {
    ctx.output.info('Measuring the storage engine');
    const before = await measureEngine(folder.path, options);
    ctx.output.info('Generating events');
    const batches = await makeBodies(options);
    const target = await startTarget(selfCommand(), join(folder.path, 'bench.db'));
    try {
      const idle = target.usage();
      const load = {
        connections: options.connections,
        eventsPerBatch: options.batch,
        path: FORMATS[options.format].path,
        headers: { 'content-type': FORMATS[options.format].type },
        ...(options.rate === undefined ? {} : { rate: options.rate / 60 }),
      };
      const warm = Math.ceil(batches.length * WARM_UP);
      await sendAll(target, batches.slice(0, warm), load);
      ctx.output.info(`Sending ${batches.length - warm} batches`);
      const started = target.usage();
      const sent = await sendAll(target, batches.slice(warm), load);
      const ended = target.usage();
      const next = await sendAll(target, await makeBodies({ ...options, events: options.batch }), load);
      const fileBytes = target.fileBytes();
      await target.stop();
      ctx.output.info('Measuring the storage engine again');
      // A machine is not equally fast all the time.
      const after = await measureEngine(folder.path, options);
      const raw = bothOf(before.raw, after.raw);
      const indexed = bothOf(before.indexed, after.indexed);
      return {
        eventsPerSecond: sent.accepted / sent.seconds,
        ratioToRaw: sent.accepted / sent.seconds / raw.rowsPerSecond,
        ratioToIndexed: sent.accepted / sent.seconds / indexed.rowsPerSecond,
        raw,
        indexed,
        statuses: sent.statuses,
        latencyMs: {
          p50: percentile(sent.latencies, 0.5),
          p95: percentile(sent.latencies, 0.95),
          p99: percentile(sent.latencies, 0.99),
        },
        refusalMs: { p50: percentile(sent.refusals, 0.5), p99: percentile(sent.refusals, 0.99) },
        nextBatch: { statuses: next.statuses, seconds: next.seconds },
        cpuMicrosPerEvent: ((ended.cpuSeconds - started.cpuSeconds) * 1e6) / sent.accepted,
        bytesPerEvent: fileBytes / (batches.length * options.batch),
        rssMegabytes: { idle: idle.rssBytes / 1e6, loaded: ended.rssBytes / 1e6 },
        options: { ...options, seconds: sent.seconds },
      };
    } finally {
      await target.stop();
    }
  } finally {
    folder.remove();
  }
};

/** The limit of the storage engine, with and without an index. */
const measureEngine = async (
  folder: string,
  { events, ordered }: IngestOptions,
): Promise<Readonly<Record<'raw' | 'indexed', RawResult>>> => {
  const rows = Math.min(events, 200_000) / 2;
  return {
    raw: await measureRaw(folder, rows, { table: 'arrival', ordered }),
    indexed: await measureRaw(folder, rows, { table: 'indexed', ordered }),
  };
};

/** Events that senders produce in a second; it decides how many of them share a minute. */
const SENT_PER_SECOND = 20_000;

const makeBodies = async ({
  events,
  batch,
  format,
  ordered,
}: IngestOptions): Promise<Uint8Array<ArrayBuffer>[]> => {
  const count = Math.ceil(events / batch);
  const to = Date.now();
  const span = ordered
    ? { from: to - 3_600_000, to }
    : { from: to - (events / SENT_PER_SECOND) * 1000, to, spreadMs: SPREAD_MS };
  return format === 'native' ? makeBatches(count, batch, span) : makeOtlpBatches(format, count, batch, span);
};

type IngestResult = Awaited<ReturnType<typeof measureIngest>>;

const columns: readonly Column<[string, string]>[] = [
  { header: '', value: ([name]) => ({ text: name, tone: 'dim' }), fixed: true },
  { header: '', value: ([, value]) => value, fixed: true },
];

/** How fast the storage engine alone takes rows, and which part of it ingest reaches. */
const engine = (raw: RawResult, ratio: number): string =>
  `${Math.round(raw.rowsPerSecond).toLocaleString('en-US')}/s, ${raw.cpuMicrosPerRow.toFixed(1)} µs, ${Math.round(raw.bytesPerRow)} bytes; ratio ${ratio.toFixed(2)}`;

const describe = ({
  latencyMs,
  raw,
  indexed,
  rssMegabytes,
  ...result
}: IngestResult): Record<string, string> => ({
  'Events per second': Math.round(result.eventsPerSecond).toLocaleString('en-US'),
  'Rows without an index': engine(raw, result.ratioToRaw),
  'Rows with indexes': engine(indexed, result.ratioToIndexed),
  'Replies by status': Object.entries(result.statuses)
    .map(([status, replies]) => `${replies} × ${status}`)
    .join(', '),
  'Latency p50 · p95 · p99': `${latencyMs.p50.toFixed(1)} · ${latencyMs.p95.toFixed(1)} · ${latencyMs.p99.toFixed(1)} ms`,
  ...(result.statuses[503] === undefined
    ? {}
    : {
        'Refusals (503) p50 · p99': `${result.refusalMs.p50.toFixed(1)} · ${result.refusalMs.p99.toFixed(1)} ms`,
        'First batch after the load': `${Object.keys(result.nextBatch.statuses).join()} in ${(result.nextBatch.seconds * 1000).toFixed(1)} ms`,
      }),
  'CPU per event': `${result.cpuMicrosPerEvent.toFixed(1)} µs`,
  'Bytes per event': `${Math.round(result.bytesPerEvent)}`,
  'Memory idle · loaded': `${Math.round(rssMegabytes.idle)} · ${Math.round(rssMegabytes.loaded)} MB`,
});
