import { afterAll, expect, test } from 'bun:test';
import { usageOf } from '../cli/bench/processes.ts';
import { openFolder } from './helpers/folder.ts';
import { initLedger, runCommand, startServer } from './helpers/server.ts';
import { storageFaults, storedEvents } from './helpers/stored-events.ts';
import { sumFaults } from './helpers/stored-sums.ts';

const folder = openFolder();
afterAll(() => folder.remove());

const SENDERS = 250;
const KEYS = 2;
const MEGABYTE = 1_000_000;

/** A batch of 100 events that are told apart by `tag`. */
function makeBody(tag: string): string {
  const event = { provider: 'openai', model: 'gpt-4o', input_tokens: 100, output_tokens: 7, user_id: tag };
  const line = (): string =>
    JSON.stringify({ ...event, event_id: crypto.randomUUID(), error_message: 'x'.repeat(400) });
  return Array.from({ length: 100 }, line).join('\n');
}

test('more load than it can take: the excess is refused with Retry-After, the rest is stored, memory stays bounded', async () => {
  const db = folder.path('overload.db');
  const { apiKey, projectId } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  const apiKeys = [apiKey];
  while (apiKeys.length < KEYS) {
    const { stdout } = await runCommand([
      'keys',
      'create',
      '--db',
      db,
      '--project',
      projectId,
      '--name',
      'k',
      '--json',
    ]);
    apiKeys.push((JSON.parse(stdout) as { apiKey: string }).apiKey);
  }
  const server = await startServer(db);
  const stored: string[] = [];
  const refused = new Map<string, number>();
  const send = async (tag: string, key: string): Promise<number> => {
    const body = makeBody(tag);
    const response = await fetch(`${server.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body,
    });
    const reply = (await response.json()) as { error?: string };
    if (response.status === 202) stored.push(tag);
    else {
      const what = `${response.status} ${reply.error} ${response.headers.get('retry-after')}`;
      refused.set(what, (refused.get(what) ?? 0) + 1);
    }
    return response.status;
  };
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let round = 0; round < 2; round++) await send(`${sender}-${round}`, apiKeys[sender % KEYS] ?? '');
    }),
  );
  const memory = usageOf(server.pid).rssBytes / MEGABYTE;
  expect(await send('after', apiKey)).toBe(202);
  expect(await server.end('SIGTERM')).toBe(0);

  // The delay follows the length of the queue.
  expect(refused.size).toBeGreaterThan(0);
  for (const what of refused.keys()) expect(what).toMatch(/^503 The server is overloaded; try again [1-9]$/);
  // 420 MB alone, up to 561 MB beside other tests; a queue without a bound would take gigabytes.
  expect(memory).toBeLessThan(800);
  const rows = storedEvents(db);
  const users = Map.groupBy(rows, ({ event }) => event.user_id ?? '');
  expect(new Map([...users].map(([user, own]) => [user, own.length]))).toEqual(
    new Map(stored.map((tag) => [tag, 100])),
  );
  expect([...storageFaults(db, rows), ...sumFaults(db, rows)]).toEqual([]);
}, 60_000);
