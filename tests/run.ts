// Runs all tests: `bun run test [files, flags of bun test]`. Three processes take the files between them, because tests
// wait for a third of their time; the slowest first by the durations in timings.json, which
// `bun run test --update-timings` measures anew. The last line adds up all: "N passed, N failed", with ", N skipped"
// where tests were skipped.
// A run of all files builds the binary first: it starts in a third of the time that the source takes, and the
// tests start about a hundred processes. With files named, the tests run from source.
// Their files are in memory where there is room: every commit waits for the disk, thousands of times in a run.
import { mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileParent } from './helpers/file-parent.ts';
import { TEST_SEED } from './helpers/random.ts';

const PROCESSES = 3;

// Removed with whatever the tests and their browsers leave in it.
const folder = mkdtempSync(join(fileParent(), 'spanledger-tests-'));
console.log(`TEST_SEED=${TEST_SEED}`);

/** The binary that the tests start; builds one unless the environment names one. */
function buildBinary(): string {
  const outfile = join(folder, 'spanledger');
  const build = Bun.spawnSync([process.execPath, 'build.ts', '--fast', '--outfile', outfile], {
    cwd: join(import.meta.dir, '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (build.exitCode !== 0) {
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  }
  return outfile;
}

const args = process.argv.slice(2);
const isWhole = args.every((arg) => arg.startsWith('-'));
const binary = process.env.SPANLEDGER_BINARY ?? (isWhole ? buildBinary() : undefined);
const child = Bun.spawn(
  [
    process.execPath,
    'test',
    `--parallel=${PROCESSES}`,
    // The files of a process share its modules and its browser.
    '--no-isolate',
    `--timings=${relative(process.cwd(), join(import.meta.dir, 'timings.json'))}`,
    '--timeout=60000',
    '--parallel-delay=0',
    ...args,
  ],
  {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
    env: {
      ...process.env,
      TMPDIR: folder,
      TEST_SEED: String(TEST_SEED),
      // Most tests end before the last of the engine's compilers has earned what it costs: see preload.ts.
      BUN_JSC_useFTLJIT: '0',
      ...(binary === undefined ? {} : { SPANLEDGER_BINARY: binary }),
    },
  },
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));

/** Hands the report on as it comes and gives its last part, where the totals are. */
async function passOn(report: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let end = '';
  for await (const chunk of report) {
    process.stderr.write(chunk);
    end = (end + decoder.decode(chunk, { stream: true })).slice(-2_000);
  }
  return end;
}

const end = await passOn(child.stderr);
const code = await child.exited;
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** The totals stand on lines of their own: " 12 pass". */
const total = (what: string): number => Number(new RegExp(`^ *(\\d+) ${what}s?$`, 'm').exec(end)?.[1] ?? 0);
const passed = total('pass');
// An error outside of a test, or a process that died, is a failure too.
const failed = Math.max(total('fail') + total('error'), code === 0 ? 0 : 1);
const skipped = total('skip') + total('todo');
console.log(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exit(failed === 0 ? 0 : 1);
