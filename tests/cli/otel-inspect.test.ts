import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { commands } from '../../cli/commands.ts';
import { inspectReplySchema } from '../../src/features/otel/contract.ts';
import { encode } from '../features/otel/otlp.ts';
import { runWith } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'spanledger-inspect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, bytes: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const run = (argv: readonly string[], columns?: number) =>
  runWith(commands, ['otel', 'inspect', ...argv], { columns });

const call = {
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1200,
    'gen_ai.usage.output_tokens': 48,
    'gen_ai.input.messages': 'SENTINEL',
    'a.very.long.name.of.an.attribute.that.nobody.reads.because.nobody.knows.what.it.means': 1,
  },
} as const;

describe('otel inspect', () => {
  const recording = join(import.meta.dir, '../features/otel/recordings/sentry.ndjson');

  test.each([80, 120])('fits a terminal of %i columns, and a pipe gets no colour', async (columns) => {
    const { code, stdout } = await run([recording], columns);
    expect(code).toBe(0);
    expect(stdout).toStartWith('57 spans, 19 calls · 14,610 tokens in');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) {
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).toBe(line.trimEnd());
    }
  });

  test('shows a field with its attribute, and no text of a prompt', async () => {
    const { stdout } = await run([write('one.json', encode('json', call))]);
    expect(stdout).toMatch(/input_tokens\s+1,200 ← gen_ai\.usage\.input_tokens/);
    expect(stdout).toContain('renamed  gen_ai.system → gen_ai.provider.name');
    expect(stdout).toContain('gen_ai.input.messages (8)');
    expect(stdout).not.toContain('SENTINEL');
  });

  test.each<[string, Uint8Array]>([
    ['JSON', encode('json', call)],
    ['Protobuf', encode('protobuf', call)],
    ['gzip', gzipSync(encode('protobuf', call))],
    [
      'one request per line',
      Buffer.from(`${Buffer.from(encode('json', call))}\n${Buffer.from(encode('json', call))}\n`),
    ],
  ])('reads %s from a file and from standard input', async (name, bytes) => {
    const spans = name === 'one request per line' ? 2 : 1;
    const fromFile = await run([write('dump', bytes), '--json']);
    const input = { readAll: async () => '', readBytes: async () => bytes, ask: async () => null };
    const fromStdin = await runWith(commands, ['otel', 'inspect', '-', '--json'], { input });
    for (const { code, stdout, stderr } of [fromFile, fromStdin]) {
      expect([code, stderr]).toEqual([0, '']);
      const doc = inspectReplySchema.strict().parse(JSON.parse(stdout));
      expect([doc.spans, doc.cost_usd]).toEqual([spans, 0.00348]);
    }
  });

  test.each<[string, () => string, number, RegExp]>([
    ['no such file', () => join(folder, 'none'), 2, /^error\[usage\]: Cannot read .*\n {2}fix: /],
    ['text', () => write('text', 'hello'), 1, /^error\[not_otlp\]: The body is not JSON in UTF-8\n {2}fix: /],
    ['broken JSON', () => write('broken', '{"resourceSpans":'), 1, /The body is not JSON in UTF-8/],
    [
      'metrics',
      () => write('metrics', '{"resourceMetrics":[]}'),
      1,
      /Only traces are accepted, this is metrics/,
    ],
    ['damaged gzip', () => write('bad.gz', gzipSync('{}').subarray(0, 12)), 1, /The gzip file is damaged/],
  ])('names the problem of %s', async (_, path, code, message) => {
    const result = await run([path()]);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
  });

  test('an empty request has no spans and succeeds', async () => {
    const { code, stdout } = await run([write('empty', '{}')]);
    expect([code, stdout]).toEqual([0, '0 spans, 0 calls · 0 tokens in, 0 out · $0.00\n']);
  });
});
