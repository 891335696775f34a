import { afterAll, describe, expect, test } from 'bun:test';
import { createArrivals, LATEST_ARRIVAL_MS } from '../../../cli/events/arrivals.ts';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import type { StoredEvent } from '../../../src/core/events/contract.ts';
import { openLedger } from '../ledger.ts';

describe('arrivals', () => {
  const NOW = Date.parse('2026-11-01T00:05:00.000Z');
  const eventAt = (id: string, ageMs: number): StoredEvent =>
    ({ event_id: id, timestamp: new Date(NOW - ageMs).toISOString() }) as StoredEvent;
  /** A list like the store's: newest first, in pages of two. */
  const listOf = () => {
    const stored: StoredEvent[] = [];
    const arrivals = createArrivals(async function* (from) {
      const rows = stored
        .filter(({ timestamp }) => Date.parse(timestamp) >= from)
        .toSorted((a, b) => b.timestamp.localeCompare(a.timestamp));
      for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
    });
    const next = async (now = NOW): Promise<string[]> =>
      (await arrivals.next(now)).map(({ event_id }) => event_id);
    return { stored, next };
  };

  test('each event once, oldest first, those with equal times too', async () => {
    const { stored, next } = listOf();
    stored.push(eventAt('old', 5_000));
    expect(await next()).toEqual(['old']);
    stored.push(eventAt('b', 1_000), eventAt('c', 0), eventAt('d', 0), eventAt('a', 2_000));
    expect((await next()).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(await next()).toEqual([]);
  });

  test('late events behind many known ones are found within ten reads, and only once', async () => {
    const { stored, next } = listOf();
    for (let i = 0; i < 20; i++) stored.push(eventAt(`known-${i}`, i));
    await next();
    stored.push(eventAt('late', LATEST_ARRIVAL_MS - 1_000), eventAt('too late', LATEST_ARRIVAL_MS + 1));
    const found: string[] = [];
    for (let read = 0; read < 40; read++) found.push(...(await next()));
    expect(found).toEqual(['late']);
  });

  test('an event that grows older than the window is not shown again', async () => {
    const { stored, next } = listOf();
    stored.push(eventAt('one', 0));
    await next();
    const found: string[] = [];
    for (let read = 1; read < 60; read++) found.push(...(await next(NOW + read * 60_000)));
    expect(found).toEqual([]);
  });
});

describe('events tail', async () => {
  const ledger = await openLedger();
  const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
  const app = openApp({ config, mode: 'command' });
  afterAll(async () => {
    await app.close();
    ledger.remove();
  });
  const send = async (event: object): Promise<void> => {
    const body = JSON.stringify({ provider: 'openai', model: 'gpt-4o', ...event });
    const init = { method: 'POST', headers: { 'x-api-key': ledger.made.apiKey ?? '' }, body };
    expect((await app.fetch(new Request('http://ledger/v1/ingest', init))).status).toBe(202);
  };
  /** Starts the command; `following` resolves when it has read what is stored already. */
  const tail = (words: readonly string[], stdout: (text: string) => void = () => {}) => {
    const following = Promise.withResolvers<void>();
    let interrupt = (): void => {};
    const ended = ledger.run(['events', 'tail', ...words], {
      stdout,
      stderr: (text) => text.includes('Following') && following.resolve(),
      onStop: (stop) => {
        interrupt = () => stop('SIGINT');
      },
    });
    return { following: following.promise, ended, interrupt: () => interrupt() };
  };

  test('new events that match, one JSON line each, until the limit', async () => {
    await send({ user_id: 'before' });
    const lines: string[] = [];
    const { following, ended } = tail(['--json', '--limit', '2', '-f', 'user:eve*'], (text) =>
      lines.push(text),
    );
    await following;
    await send({ user_id: 'bob' });
    await send({ user_id: 'eve-1\u009b2J' });
    await send({ user_id: 'eve-2', timestamp: new Date(Date.now() - 60_000).toISOString() });
    expect((await ended).code).toBe(0);
    expect(lines.map((line) => (JSON.parse(line) as StoredEvent).user_id).toSorted()).toEqual([
      'eve-1\u009b2J',
      'eve-2',
    ]);
    for (const line of lines) expect(line.trimEnd()).not.toMatch(/[\n\u{80}-\u{9f}]/u);
  });

  test('Ctrl-C ends it with 130 after the lines that were shown', async () => {
    const shown = Promise.withResolvers<string>();
    const { following, ended, interrupt } = tail([], shown.resolve);
    await following;
    await send({ status: 'error', error_code: 'boom', user_id: 'x\u001b[2J' });
    const line = await shown.promise;
    expect(line).toContain('gpt-4o');
    expect(line).toContain('error');
    expect(line).not.toContain('\u001b');
    expect(Bun.stringWidth(line.trimEnd())).toBeLessThanOrEqual(80);
    interrupt();
    expect((await ended).code).toBe(130);
  });

  test.each([
    [['--limit', '0'], 2, 'expected a whole number'],
    [['--interval', 'x'], 2, 'expected a whole number'],
    [['-p', 'nope'], 3, 'There is no project nope'],
  ])('%j is refused', async (words, code, message) => {
    const result = await ledger.run(['events', 'tail', ...words]);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});
