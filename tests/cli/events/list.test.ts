import { afterAll, describe, expect, test } from 'bun:test';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import type { StoredEvent } from '../../../src/core/events/contract.ts';
import { openLedger } from '../ledger.ts';

const ledger = await openLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const app = openApp({ config, mode: 'command' });
afterAll(async () => {
  await app.close();
  ledger.remove();
});
const now = Date.now();
const sent = Array.from({ length: 600 }, (_, i) => ({
  kind: i % 3 === 0 ? 'tool' : 'llm',
  ...(i % 3 === 0 ? { name: `tool-${i}` } : { provider: 'openai', model: 'gpt-4o' }),
  timestamp: new Date(now - 3_600_000 + i * 1_000).toISOString(),
  input_tokens: i,
  output_tokens: 1,
  user_id: i === 599 ? 'eve\u001b[2J\u009b31m\u202e' : `user-${i}`,
  ...(i % 100 === 1 ? { status: 'error', error_code: 'boom', error_message: 'line one\nline two' } : {}),
}));
for (let at = 0; at < sent.length; at += 100) {
  const body = sent.slice(at, at + 100).map((event) => JSON.stringify(event));
  const init = { method: 'POST', headers: { 'x-api-key': ledger.made.apiKey ?? '' }, body: body.join('\n') };
  expect((await app.fetch(new Request('http://ledger/v1/ingest', init))).status).toBe(202);
}

const CONTROLS = ['\u001b', '\u009b', '\u202e'];

type Page = { events: StoredEvent[]; more: boolean };
const list = async (...words: string[]): Promise<Page> =>
  (await ledger.json('events', 'list', ...words)) as unknown as Page;

describe('events list', () => {
  test('the newest first, twenty without a limit', async () => {
    const { events, more } = await list();
    expect({ count: events.length, more }).toEqual({ count: 20, more: true });
    expect(events.map(({ input_tokens }) => input_tokens)).toEqual(
      Array.from({ length: 20 }, (_, i) => 599 - i),
    );
  });

  test('a limit beyond a page, calls only, and the filter language', async () => {
    const calls = await list('--limit', '10000', '--calls');
    expect([calls.events.length, calls.more]).toEqual([400, false]);
    expect((await list('-n', '600')).more).toBe(false);
    expect((await list('-n', '599')).more).toBe(true);
    const failed = await list('--filter', 'status:failed -kind:tool');
    expect(failed.events.map(({ input_tokens }) => input_tokens)).toEqual([401, 301, 101, 1]);
  });

  test('another order, over all events, in either direction', async () => {
    const inputs = async (sort: string): Promise<number[]> =>
      (await list('--sort', sort, '-n', '3')).events.map(({ input_tokens }) => input_tokens);
    expect(await inputs('input')).toEqual([599, 598, 597]);
    expect(await inputs('input:asc')).toEqual([0, 1, 2]);
    expect(await inputs('time:asc')).toEqual([0, 1, 2]);
    for (const wrong of ['price', 'input:up', 'input:asc:x']) {
      const { code, stderr } = await ledger.run(['events', 'list', '--sort', wrong]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Choose from time, cost, latency')]);
    }
  });

  test.each([60, 80, 120, 200])('fits %i columns; more columns where there is room', async (columns) => {
    const { code, stdout } = await ledger.run(['events', 'list'], { columns });
    expect(code).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(20);
    if (columns >= 80)
      for (const line of [head, ...rows]) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
    expect(head.includes(' id ')).toBe(columns >= 120);
    expect(head).toContain('latency');
    if (columns !== 120) expect(head.includes('trace')).toBe(columns >= 200);
  });

  test('texts of events cannot control the terminal', async () => {
    for (const words of [['--columns', 'user,time'], ['--json'], ['--csv']]) {
      const { stdout } = await ledger.run(['events', 'list', '-n', '1', ...words]);
      expect(stdout).toContain('eve');
      for (const control of CONTROLS) expect(stdout).not.toContain(control);
    }
    expect((await list('-n', '1')).events[0]?.user_id).toBe('eve\u001b[2J\u009b31m\u202e');
  });

  test('CSV has all fields and one line for each event', async () => {
    const { stdout } = await ledger.run(['events', 'list', '--csv', '-n', '30']);
    const lines = stdout.trimEnd().split('\r\n');
    expect(lines).toHaveLength(31);
    expect(lines[0]).toStartWith('timestamp,event_id,trace_id');
  });

  test('says that nothing matches', async () => {
    const { code, stdout } = await ledger.run(['events', 'list', '-f', 'model:none']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No events in this window.\n' });
  });

  test.each([
    [['--limit', '0'], 2, 'expected a whole number from 1 to 10000'],
    [['--columns', 'time,colour'], 2, 'There is no column "colour"'],
    [['--csv', '--json'], 2, 'cannot be combined'],
    [['--csv', '--columns', 'id'], 2, 'cannot be combined'],
    [['--filter', 'latency>'], 2, 'The filter is wrong'],
    [['--start', 'soon'], 2, 'is not a time'],
    [['-p', 'nope'], 3, 'There is no project nope'],
  ])('%j is refused', async (words, code, message) => {
    const result = await ledger.run(['events', 'list', ...words]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});

describe('events get', () => {
  test('all fields, the whole error, and the lines of the cost', async () => {
    const [failed] = (await list('-f', 'status:failed', '-n', '1')).events;
    const shown = await ledger.run(['events', 'get', failed?.event_id ?? '']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('\nline one\nline two\n');
    expect(shown.stdout).toMatch(/\nerror_code +boom\n/);
    const [call] = (await list('--calls', '-f', 'status:success', '-n', '1')).events;
    const { stdout } = await ledger.run(['events', 'get', (call?.event_id ?? '').toUpperCase()]);
    for (const [name, value] of Object.entries(call ?? {}))
      if (typeof value === 'number') expect(stdout).toMatch(new RegExp(`\n${name} +${value}\n`));
    expect(stdout).toContain('equals the stored cost');
    for (const control of CONTROLS) expect(stdout).not.toContain(control);
  });

  test('--json has the event as the list shows it, and its cost', async () => {
    const [call] = (await list('--calls', '-n', '1')).events;
    const doc = await ledger.json('events', 'get', call?.event_id ?? '');
    expect(doc).toMatchObject({ event: call, cost: { event_id: call?.event_id, adds_up: true } });
    const [tool] = (await list('-f', 'kind:tool', '-n', '1')).events;
    expect(await ledger.json('events', 'get', tool?.event_id ?? '')).toMatchObject({
      event: tool,
      cost: null,
    });
  });

  test.each([
    [['nonsense'], 2, 'expected the UUID of an event'],
    [['0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90'], 3, 'There is no event 0198c2f5'],
  ])('%j is refused', async (words, code, message) => {
    const result = await ledger.run(['events', 'get', ...words]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});
