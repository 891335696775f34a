import type { Ctx } from '../../../context.ts';
import { jobTallies, listJobs } from '../../../core/jobs/index.ts';
import { DURATION_BOUNDS, type DurationCounts } from '../../../lib/stats/durations.ts';
import type { Job } from '../../../module.ts';
import { versionInfo } from '../../../version.ts';
import { growthPerDay } from '../checks/disk.ts';
import type { System, SystemJob } from '../contract.ts';
import { listSamples } from '../measure-job.ts';
import { collect } from '../metrics/collect.ts';
import type { Metric } from '../metrics/exposition.ts';
import { startedAt } from './started-at.ts';

/** Growth that fills the disk later than this is not worth a date. */
const FAR_DAYS = 3_650;

/** The figures of the page System. Those of `/metrics` are read from there, so that both agree. */
export async function readSystem(ctx: Ctx, jobs: readonly Job[]): Promise<System> {
  const now = ctx.now();
  const { version, commit, bun, sqlite } = versionInfo();
  const metrics = await collect(ctx);
  const of = (name: string): number => numberOf(metrics, name) ?? 0;
  const writes = countsOf(metrics, 'write_duration_seconds');
  const reads = countsOf(metrics, 'read_duration_seconds');
  const bytes = of('database_size_bytes') + of('database_wal_size_bytes');
  const samples = [...(await listSamples(ctx)), { at: now, bytes }];
  const growth = growthPerDay(samples);
  const days = growth === null || growth <= 0 ? null : of('disk_free_bytes') / growth;
  return {
    now: iso(now),
    startedAt: iso(startedAt(now)),
    versions: { version, commit, bun, sqlite },
    ingest: {
      events: of('ingest_events_total'),
      duplicates: of('ingest_duplicates_total'),
      batches: of('ingest_batches_total'),
      waiting: of('intake_requests'),
      unsealed: of('unsealed_events'),
      accepts: of('accepts_events') === 1,
    },
    writer: {
      pending: of('writer_pending_rows'),
      writes: writes?.count ?? 0,
      failed: of('writes_failed_total'),
      p50: percentileMs(writes, 0.5),
      p99: percentileMs(writes, 0.99),
    },
    readers:
      reads === null
        ? null
        : {
            processes: of('reader_processes'),
            busy: of('reader_processes_busy'),
            waiting: of('reads_waiting'),
            reads: reads.count,
            failed: of('reads_failed_total'),
            p99: percentileMs(reads, 0.99),
          },
    store: {
      file: of('database_size_bytes'),
      log: of('database_wal_size_bytes'),
      free: of('disk_free_bytes'),
      disk: of('disk_size_bytes'),
      growth,
      fullInDays: days === null || days > FAR_DAYS ? null : Math.floor(days),
      sizes: samples.map(({ at, bytes: size }) => ({ at: iso(at), bytes: size })),
    },
    process: {
      memory: numberOf(metrics, 'process_resident_memory_bytes', '') ?? 0,
      descriptors: numberOf(metrics, 'process_open_fds', ''),
    },
    jobs: await readJobs(ctx, jobs),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The value of a metric with one sample; null if it has none. */
function numberOf(metrics: readonly Metric[], name: string, prefix = 'spanledger_'): number | null {
  const found = metrics.find((metric) => metric.name === `${prefix}${name}`);
  return found === undefined || found.type === 'histogram' ? null : (found.samples[0]?.[1] ?? null);
}

function countsOf(metrics: readonly Metric[], name: string): DurationCounts | null {
  const found = metrics.find((metric) => metric.name === `spanledger_${name}`);
  return found?.type === 'histogram' ? (found.samples[0]?.[1] ?? null) : null;
}

/** The upper bound of the bin with the percentile; that of the last bin is its lower one. */
function percentileMs(counts: DurationCounts | null, p: number): number | null {
  if (counts === null || counts.count === 0) return null;
  let seen = 0;
  const bin = counts.bins.findIndex((hits) => {
    seen += hits;
    return seen >= counts.count * p;
  });
  return (DURATION_BOUNDS[bin] ?? DURATION_BOUNDS.at(-1) ?? 0) * 1_000;
}

async function readJobs(ctx: Ctx, jobs: readonly Job[]): Promise<SystemJob[]> {
  const tallies = jobTallies(ctx);
  const quiet = new Set(jobs.filter((job) => job.quiet === true).map(({ name }) => name));
  return (await listJobs(ctx, jobs)).map(({ name, summary, schedule, nextRun, lastRun }) => {
    const job = { name, summary, schedule, nextRun };
    // Quiet runs are only in the memory of the server.
    const last = tallies.get(name)?.last;
    const recorded = lastRun === null ? 0 : Date.parse(lastRun.startedAt);
    if (last !== undefined && last.startedAt > recorded)
      return {
        ...job,
        lastRun: { startedAt: iso(last.startedAt), status: last.status, ms: last.ms, error: null },
      };
    // Later runs that went well are not recorded, so an old failure may be over.
    if (lastRun === null || (quiet.has(name) && last === undefined)) return { ...job, lastRun: null };
    const { startedAt: start, finishedAt, status, result } = lastRun;
    const error = (result as { error?: unknown } | null)?.error;
    return {
      ...job,
      lastRun: {
        startedAt: start,
        status,
        ms: finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(start),
        error: typeof error === 'string' ? error.slice(0, 1_000) : null,
      },
    };
  });
}
