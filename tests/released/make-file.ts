// `bun tests/released/make-file.ts BINARY VERSION` makes the data file of a released version, with the binary of that
// release: `files/VERSION.db.gz`, and `files/VERSION.json` with what that version answers. The tests beside it open each
// of them with the version at hand. A file that was released is never made anew.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { openFolder } from '../helpers/folder.ts';
import { QUESTIONS } from './questions.ts';

const [binary = '', version = ''] = process.argv.slice(2);
const target = `${import.meta.dir}/files/${version}`;
if (!existsSync(binary) || version === '') throw new Error('Name the binary and its version');
if (existsSync(`${target}.db.gz`)) throw new Error(`${target}.db.gz is there already`);
process.env.SPANLEDGER_BINARY = binary;
const { initLedger, runCommand, startServer } = await import('../helpers/server.ts');

const folder = openFolder();
const db = folder.path('ledger.db');
const run = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand([...words, '--db', db]);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return stdout;
};

const DAY_MS = 86_400_000;
const FIRST = Date.now() - 5 * DAY_MS;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'no-such-model'];
const events = Array.from({ length: 600 }, (_, i) => ({
  event_id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  trace_id: `trace-${Math.floor(i / 3)}`,
  timestamp: new Date(FIRST + (i * 4 * DAY_MS) / 600).toISOString(),
  provider: i % 4 === 2 ? 'anthropic' : 'openai',
  model: MODELS[i % 4],
  status: i % 17 === 0 ? 'error' : 'success',
  ...(i % 17 === 0 ? { error_code: 'overloaded' } : {}),
  input_tokens: 100 + i,
  cached_input_tokens: i % 50,
  output_tokens: i % 90,
  latency_ms: 200 + ((i * 37) % 900),
  user_id: `user-${i % 9}`,
  session_id: `session-${i % 20}`,
  tags: { team: i % 2 === 0 ? 'search' : 'support' },
  metadata: { note: `call ${i}` },
}));

const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
const server = await startServer(db);
for (let from = 0; from < events.length; from += 100) {
  const body = Bun.gzipSync(
    events
      .slice(from, from + 100)
      .map((event) => JSON.stringify(event))
      .join('\n'),
  );
  const headers = { 'x-api-key': apiKey, 'Content-Encoding': 'gzip' };
  const { status } = await fetch(`${server.url}/v1/ingest`, { method: 'POST', headers, body });
  if (status !== 202) throw new Error(`ingest: ${status}`);
  // The first batches are in segments, the last ones in the log.
  if (from === 300) await run('jobs', 'run', 'events.seal_log');
}
await run('prices', 'set', 'openai/no-such-model', '--input', '1', '--output', '2');
await run('budgets', 'set', '100');
await run('keys', 'create', '--name', 'second', '--project', 'assistant');
await server.end('SIGTERM');

const window = ['--start', new Date(FIRST).toISOString(), '--end', new Date().toISOString()];
const answers: Record<string, unknown> = {};
for (const words of QUESTIONS)
  answers[words.join(' ')] = JSON.parse(await run(...words, ...window, '--json'));
await run('verify');
await run('backup', folder.path('copy.db'));
mkdirSync(`${import.meta.dir}/files`, { recursive: true });
writeFileSync(`${target}.db.gz`, gzipSync(readFileSync(folder.path('copy.db')), { level: 9 }));
writeFileSync(
  `${target}.json`,
  `${JSON.stringify({ window, apiKey, events: events.length, answers }, null, 2)}\n`,
);
folder.remove();
