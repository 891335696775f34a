import { describe, expect, test } from 'bun:test';
import { loadConfig } from '../../../src/config.ts';
import { createOutbound, type Outbound } from '../../../src/core/outbound/create-outbound.ts';
import { OutboundError } from '../../../src/core/outbound/index.ts';
import { createGetJson, type Requests } from '../../../src/features/reconcile/connectors/get-json.ts';
import { readConnectors } from '../../../src/features/reconcile/connectors/settings.ts';

const ORIGIN = 'https://api.example.com';

/** A client that gets these replies in turn, and the pauses that it made. */
function clientOf(replies: (() => Response | Promise<Response>)[], more: Partial<Requests> = {}) {
  const waits: number[] = [];
  const get = createGetJson({
    send: async () => {
      const reply = replies.shift();
      if (reply === undefined) throw new Error('asked once too often');
      return reply();
    },
    ...{ origin: ORIGIN, headers: {}, keyKind: 'an admin key', signal: new AbortController().signal },
    wait: async (ms) => {
      waits.push(ms);
    },
    ...more,
  });
  return { get: () => get('/v1/costs', [['page', 'a b']]), waits };
}
const fails = (code: 'timeout' | 'refused') => () => {
  throw new OutboundError(code, 'The host did not reply in time');
};

describe('requests to providers', () => {
  test('are tried five times, each after a longer pause', async () => {
    const { get, waits } = clientOf(Array.from({ length: 5 }, () => fails('timeout')));
    await expect(get()).rejects.toThrow('api.example.com: The host did not reply in time (5 attempts)');
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test('wait as long as the provider asks for, in seconds or until a date, but not for hours', async () => {
    const busy = (after: string) => () =>
      new Response('', { status: 429, headers: { 'retry-after': after } });
    const soon = new Date(Date.now() + 60_000).toUTCString();
    const { get, waits } = clientOf([busy('7'), busy(soon), busy('soon'), () => Response.json({ ok: true })]);
    expect(await get()).toEqual({ ok: true });
    expect(waits[0]).toBe(7_000);
    expect(waits[1]).toBeGreaterThan(50_000);
    expect(waits[2]).toBe(4_000);
    await expect(clientOf([busy('301')]).get()).rejects.toThrow('answered 429 to /v1/costs (1 attempt)');
  });

  test('are not repeated where it would not help, and end with the job', async () => {
    await expect(clientOf([fails('refused')]).get()).rejects.toThrow('The host did not reply in time');
    const job = new AbortController();
    const stopped = clientOf([() => new Response('', { status: 500 })], {
      signal: job.signal,
      wait: async () => job.abort(new Error('the server stops')),
    });
    await expect(stopped.get()).rejects.toThrow('the server stops');
  });

  test('end in time when a provider never answers', async () => {
    const silent = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Promise<Response>(() => {}),
    });
    const outbound: Outbound = createOutbound({ userAgent: 'test' });
    const origin = `http://127.0.0.1:${silent.port}`;
    const send = (url: string, init: RequestInit): Promise<Response> =>
      outbound.fetch(url, { ...init, timeoutMs: 20, trustedOrigin: origin });
    const { get, waits } = clientOf([], { origin, send });
    await expect(get()).rejects.toThrow('did not reply in time (5 attempts)');
    expect(waits).toHaveLength(4);
    outbound.close();
    await silent.stop(true);
  });
});

describe('the operator’s connectors', () => {
  const read = (connectors: unknown) =>
    readConnectors(loadConfig({ env: { CONNECTORS: JSON.stringify(connectors) } }).values);
  const one = { id: 'a', provider: 'openai', key: 'sk-admin-x', organization: 'Acme' } as const;

  test('are read with their keys from files', () => {
    const path = `${import.meta.dir}/key.txt`;
    expect(() => read([{ ...one, key: undefined, keyFile: path }])).toThrow(`cannot read ${path}`);
    expect(read([{ ...one, url: 'https://eu.api.openai.com' }])).toEqual([
      { ...one, projects: [], accounts: [], url: 'https://eu.api.openai.com' },
    ]);
  });

  test.each<[unknown, string]>([
    [[{ ...one, key: 'two\nlines' }], 'CONNECTORS: entry 1, key: has to be one line without blanks'],
    [[{ ...one, keyFile: 'x' }], 'entry 1: needs key or keyFile'],
    [[one, one], 'two connectors have the same id'],
    [[{ ...one, url: 'http://api.openai.com' }], 'entry 1, url: has to begin with https://'],
    [[{ ...one, url: 'https://api.openai.com/v1' }], 'entry 1, url: has no path, query or user'],
    [[{ ...one, provider: 'openrouter', accounts: ['x'] }], 'OpenRouter reports no workspaces'],
    [[{ ...one, provider: 'cohere' }], 'entry 1, provider: '],
    [{}, 'CONNECTORS: '],
  ])('%j is refused with what is wrong and without its key', (given, why) => {
    let message = '';
    try {
      read(given);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(why);
    expect(message).not.toContain('sk-admin-x');
  });
});
