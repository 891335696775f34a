import type { Ctx } from '../../../context.ts';
import { deliveryBacklog, listTroubledChannels } from '../../../core/deliveries/index.ts';
import { eventsOf, intakeOf, recordMeter } from '../../../core/events/index.ts';
import { jobTallies } from '../../../core/jobs/index.ts';
import { outboxBacklog } from '../../../core/outbox/index.ts';
import { requestMeter } from '../../../http/request-meter.ts';
import type { DurationCounts } from '../../../lib/stats/durations.ts';
import { versionInfo } from '../../../version.ts';
import { readSizes } from '../checks/disk.ts';
import { readDescriptors } from '../checks/machine.ts';
import type { Metric } from './exposition.ts';

const one = (name: string, type: 'counter' | 'gauge', help: string, value: number | null): Metric => ({
  name: `spanledger_${name}`,
  type,
  help,
  samples: [[{}, value]],
});
const counter = (name: string, help: string, value: number): Metric => one(name, 'counter', help, value);
const gauge = (name: string, help: string, value: number | null): Metric => one(name, 'gauge', help, value);
const histogram = (name: string, help: string, counts: DurationCounts): Metric => ({
  name: `spanledger_${name}`,
  type: 'histogram',
  help,
  samples: [[{}, counts]],
});

/** Every figure of the running server. Names and units follow the conventions of Prometheus: seconds and bytes. */
export const collect = async (ctx: Ctx): Promise<Metric[]> => [
  ...buildMetrics(),
  ...httpMetrics(ctx),
  ...ingestMetrics(ctx),
  ...storeMetrics(ctx),
  ...jobMetrics(ctx),
  ...(await deliveryMetrics(ctx)),
  ...processMetrics(ctx),
];

function buildMetrics(): Metric[] {
  const { version, commit, bun } = versionInfo();
  return [
    {
      name: 'spanledger_build_info',
      type: 'gauge',
      help: 'Always 1; the labels are the versions.',
      samples: [[{ version, commit: commit ?? 'source', bun }, 1]],
    },
  ];
}

function httpMetrics(ctx: Ctx): Metric[] {
  const { counts, durations } = ctx.use(requestMeter).read();
  return [
    {
      name: 'spanledger_http_requests_total',
      type: 'counter',
      help: 'Requests by method, route and status.',
      samples: counts.map(({ method, route, status, count }) => [
        { method, route, status: String(status) },
        count,
      ]),
    },
    {
      name: 'spanledger_http_request_duration_seconds',
      type: 'histogram',
      help: 'Time from the headers of a request to those of its reply, by route.',
      samples: [...durations].map(([route, of]) => [{ route }, of.read()]),
    },
  ];
}

function ingestMetrics(ctx: Ctx): Metric[] {
  const { batches, accepted, duplicates } = ctx.use(recordMeter);
  const { requests, bytes } = intakeOf(ctx).load();
  const events = eventsOf(ctx);
  return [
    counter('ingest_batches_total', 'Batches of events that were stored.', batches),
    counter('ingest_events_total', 'Events that were acknowledged, duplicates included.', accepted),
    counter('ingest_duplicates_total', 'Acknowledged events that were stored before.', duplicates),
    gauge('intake_requests', 'Requests with events that are worked on or wait.', requests),
    gauge('intake_bytes', 'Bytes of their bodies that have arrived.', bytes),
    gauge('unsealed_events', 'Stored events that are not in the totals yet.', events.unsealed()),
    gauge('accepts_events', '1 if the store has room for more events, else 0.', events.hasRoom() ? 1 : 0),
  ];
}

function fileMetrics(path: string): Metric[] {
  const { file, wal, free, total } = readSizes(path);
  return [
    gauge('database_size_bytes', 'Size of the database file.', file),
    gauge('database_wal_size_bytes', 'Size of its write-ahead log.', wal),
    gauge('disk_free_bytes', 'Free bytes of its disk.', free),
    gauge('disk_size_bytes', 'Size of its disk.', total),
  ];
}

function storeMetrics({ db }: Ctx): Metric[] {
  const { writes, failed } = db.writer.stats();
  const readers = db.readerStats();
  const ofReaders =
    readers === null
      ? []
      : [
          gauge('reader_processes', 'Reader processes.', readers.processes),
          gauge('reader_processes_busy', 'Reader processes with a query.', readers.busy),
          gauge('reads_waiting', 'Queries that wait for a reader process.', readers.waiting),
          histogram('read_duration_seconds', 'Time of a query with its wait.', readers.reads),
          counter('reads_failed_total', 'Queries without an answer.', readers.failed),
        ];
  return [
    gauge('writer_pending_rows', 'Rows that wait for the writer.', db.writer.pending()),
    histogram('write_duration_seconds', 'Time of a write from its request to its commit.', writes),
    counter('writes_failed_total', 'Writes that were refused or failed.', failed),
    ...ofReaders,
    ...(db.isRemote ? [] : fileMetrics(db.path)),
  ];
}

function jobMetrics(ctx: Ctx): Metric[] {
  const jobs = [...jobTallies(ctx)];
  const statuses = ['ok', 'failed', 'interrupted'] as const;
  return [
    {
      name: 'spanledger_job_runs_total',
      type: 'counter',
      help: 'Runs of jobs that ended, by their status.',
      samples: jobs.flatMap(([job, tally]) =>
        statuses.map((status) => [{ job, status }, tally[status]] as const),
      ),
    },
    {
      name: 'spanledger_job_last_run_timestamp_seconds',
      type: 'gauge',
      help: 'Start of the last run that ended, as Unix time.',
      samples: jobs.map(([job, { last }]) => [{ job }, last.startedAt / 1_000]),
    },
    {
      name: 'spanledger_job_last_run_duration_seconds',
      type: 'gauge',
      help: 'How long that run took.',
      samples: jobs.map(([job, { last }]) => [{ job }, last.ms / 1_000]),
    },
    {
      name: 'spanledger_job_last_run_failed',
      type: 'gauge',
      help: '1 if that run failed, else 0.',
      samples: jobs.map(([job, { last }]) => [{ job }, last.status === 'failed' ? 1 : 0]),
    },
  ];
}

async function deliveryMetrics(ctx: Ctx): Promise<Metric[]> {
  const [channels, { pending, dueAt }, outbox] = await Promise.all([
    listTroubledChannels(ctx),
    deliveryBacklog(ctx),
    outboxBacklog(ctx),
  ]);
  const late = dueAt === null ? 0 : Math.max(0, ctx.now() - dueAt) / 1_000;
  return [
    gauge('deliveries_pending', 'Notifications that wait for an attempt.', pending),
    gauge('delivery_delay_seconds', 'How long the first of them is overdue.', late),
    gauge('channels_failing', 'Channels that fail, or were disabled because they failed.', channels.length),
    gauge('outbox_pending', 'Internal events that wait for a follower.', outbox.pending),
    gauge('outbox_given_up', 'Internal events that were given up in the last month.', outbox.givenUp),
  ];
}

/** Names that Prometheus's own clients use. */
function processMetrics(ctx: Ctx): Metric[] {
  const { user, system } = process.cpuUsage();
  const descriptors = readDescriptors();
  const plain = (name: string, type: 'counter' | 'gauge', help: string, value: number | null): Metric => ({
    ...one(name, type, help, value),
    name,
  });
  return [
    plain('process_cpu_seconds_total', 'counter', 'CPU time of the server process.', (user + system) / 1e6),
    plain('process_resident_memory_bytes', 'gauge', 'Its resident memory.', process.memoryUsage.rss()),
    plain('process_open_fds', 'gauge', 'Its open files and connections.', descriptors?.open ?? null),
    plain('process_max_fds', 'gauge', 'How many it may have.', descriptors?.most ?? null),
    plain(
      'process_start_time_seconds',
      'gauge',
      'Its start, as Unix time.',
      Math.round(ctx.now() / 1_000 - process.uptime()),
    ),
  ];
}
