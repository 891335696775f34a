import { afterAll, expect, test } from 'bun:test';
import { openFolder } from '../helpers/folder.ts';
import { runCommand } from '../helpers/server.ts';

const folder = openFolder();
afterAll(() => folder.remove());

type Bench = {
  statuses: Record<string, number>;
  ratioToRaw: number;
  cpuMicrosPerEvent: number;
  bytesPerEvent: number;
};
type Reads = {
  ingestWithReaders: { statuses: Record<string, number> } | null;
  reads: { name: string; failures: number; busy?: { failures: number } }[];
};

test('bench ingest sends every batch and compares with the storage engine alone', async () => {
  const { code, stdout, stderr } = await runCommand(['bench', 'ingest', '--events', '3000', '--json']);
  expect([code, stderr.includes('Sending')]).toEqual([0, true]);
  const result = JSON.parse(stdout) as Bench;
  expect(result.statuses).toEqual({ 202: 27 });
  for (const figure of [result.ratioToRaw, result.cpuMicrosPerEvent, result.bytesPerEvent]) {
    expect(figure).toBeGreaterThan(0);
  }
}, 60_000);

test.each(['otlp-protobuf', 'otlp-json'])(
  'bench ingest sends the same calls as %s',
  async (format) => {
    const args = ['bench', 'ingest', '--events', '2000', '--format', format, '--json'];
    const { code, stdout } = await runCommand(args);
    const { statuses } = JSON.parse(stdout) as Bench;
    expect({ code, statuses }).toEqual({ code: 0, statuses: { 202: 18 } });
  },
  60_000,
);

test('bench query fills its file once, and no read fails, also during ingest', async () => {
  const options = [
    '--events',
    '3000',
    '--customers',
    '50',
    '--rounds',
    '1',
    '--file',
    folder.path('bench.db'),
  ];
  const runs = [
    { more: ['--rate', '0'], isFilled: true, ingest: null },
    { more: [], isFilled: false, ingest: ['202'] },
  ];
  for (const { more, isFilled, ingest } of runs) {
    const { code, stdout, stderr } = await runCommand(['bench', 'query', ...options, ...more, '--json']);
    expect([code, stderr.includes('3,000 events stored')]).toEqual([0, isFilled]);
    const { reads, ingestWithReaders } = JSON.parse(stdout) as Reads;
    expect(ingestWithReaders && Object.keys(ingestWithReaders.statuses)).toEqual(ingest);
    expect(reads.length).toBeGreaterThan(15);
    expect(reads.map(({ busy }) => busy !== undefined)).toEqual(reads.map(() => ingest !== null));
    expect(reads.filter((read) => read.failures + (read.busy?.failures ?? 0) > 0)).toEqual([]);
  }
}, 120_000);

// These two run at the same time: the one waits for its server to be idle.
test.concurrent('bench start measures the start-up time of a server', async () => {
  const { code, stdout } = await runCommand([
    ...['bench', 'start', '--file', folder.path('bench.db'), '--rounds', '1', '--json'],
  ]);
  expect(code).toBe(0);
  const { healthyMs, idleMegabytes } = JSON.parse(stdout) as {
    healthyMs: { p50: number };
    idleMegabytes: number;
  };
  expect([healthyMs.p50 > 0, idleMegabytes > 0]).toEqual([true, true]);
}, 30_000);

test.concurrent('bench purge deletes events older than a day during ingest', async () => {
  const { code, stdout } = await runCommand([
    ...['bench', 'purge', '--events', '3000', '--seconds', '1', '--json'],
  ]);
  const { deleted, busy } = JSON.parse(stdout) as {
    deleted: number;
    busy: { statuses: Record<string, number> };
  };
  expect([code, Object.keys(busy.statuses)]).toEqual([0, ['202']]);
  // A hundred events per day; the last day may have moved on while they were created.
  expect(deleted).toBeWithin(2900, 2910);
}, 60_000);

test('a file that no benchmark created keeps its limits', async () => {
  const db = folder.path('own.db');
  const init = [
    'init',
    '--db',
    db,
    '--org',
    'Acme',
    '--project',
    'p',
    '--email',
    'a@example.com',
    '--password-stdin',
  ];
  expect((await runCommand(init, 'long enough')).code).toBe(0);
  const { code, stderr } = await runCommand(['bench', 'query', '--file', db]);
  expect([code, stderr.includes("is not a benchmark's file")]).toEqual([1, true]);
}, 60_000);
