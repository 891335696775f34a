import { afterAll, describe, expect, test } from 'bun:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { traceReplySchema } from '../../src/core/events/contract.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const app = openApp({ config, mode: 'command' });
afterAll(async () => {
  await app.close();
  ledger.remove();
});
const now = Date.now() - 60_000;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = (id: number, parent: number | null, more: object = {}): string =>
  JSON.stringify({
    trace_id: TRACE,
    span_id: `s${id}`,
    parent_span_id: parent === null ? null : `s${parent}`,
    kind: 'chain',
    name: `step ${id}`,
    timestamp: new Date(now + id * 10).toISOString(),
    latency_ms: 500 - id,
    ...more,
  });
const spans = [
  span(0, null, { kind: 'agent', name: 'planner\u001b[2J' }),
  span(1, 0, { kind: 'llm', name: null, provider: 'openai', model: 'gpt-4o', input_tokens: 1_000 }),
  span(2, 0, {
    kind: 'tool',
    status: 'error',
    error_code: 'E_SQL',
    error_message: 'no such\ntable \u009b2J',
  }),
  ...Array.from({ length: 15 }, (_, i) => span(3 + i, i === 0 ? 0 : 2 + i)),
  span(90, 77),
];
const others = Array.from({ length: 30 }, (_, i) => span(i, null, { trace_id: `other-${i}`, name: 'other' }));
const init = {
  method: 'POST',
  headers: { 'x-api-key': ledger.made.apiKey ?? '' },
  body: [...spans, ...others].join('\n'),
};
expect((await app.fetch(new Request('http://ledger/v1/ingest', init))).status).toBe(202);

describe('traces show', () => {
  test.each([80, 120])('draws the tree in %i columns', async (columns) => {
    const { code, stdout } = await ledger.run(['traces', 'show', TRACE], { columns });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[1]).toMatch(/^19 spans · 1 call · 1 error · .* · \$0\.0025/);
    expect(lines.find((line) => line.startsWith('planner'))).toMatch(/ 500 ms .*success$/);
    expect(stdout).toMatch(/\n {2}gpt-4o +10 ms +499 ms +\$0\.0025 +success\n/);
    expect(stdout).toMatch(/\n {4}step 4 /);
    expect(stdout).toMatch(/\n {16}\[15\] step 17 /);
    expect(stdout).toMatch(/\n\? step 90 /);
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('shows the texts of failures, without what a terminal interprets', async () => {
    const { stdout } = await ledger.run(['traces', 'show', TRACE]);
    expect(stdout).toMatch(/\nFailures\nstep 2 E_SQL [0-9a-f-]{36}\nno such\ntable 2J\n/);
    for (const control of ['\u001b', '\u009b']) expect(stdout).not.toContain(control);
  });

  test('prints as many spans as asked for; --json has the tree of the endpoint', async () => {
    const { stdout } = await ledger.run(['traces', 'show', TRACE, '-n', '3']);
    expect(stdout).toContain('and 16 more spans');
    const doc = await ledger.json('traces', 'show', TRACE);
    expect(traceReplySchema.safeParse(doc).error).toBeUndefined();
    expect(doc).toMatchObject({ trace: { trace_id: TRACE, spans: 19, errors: 1 } });
  });

  test('the list takes an order', async () => {
    const first = async (sort: string): Promise<unknown> => {
      const doc = (await ledger.json('traces', 'list', '--sort', sort, '-n', '1')) as {
        traces: { spans: number }[];
      };
      return doc.traces[0]?.spans;
    };
    expect([await first('spans'), await first('spans:asc')]).toEqual([19, 1]);
  });

  test('an unknown trace is not found', async () => {
    const { code, stdout, stderr } = await ledger.run(['traces', 'show', 'nope']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('There is no trace nope in this project');
  });
});

describe('traces list', () => {
  test('newest first, with filters, and says that there are more', async () => {
    const { traces, more } = (await ledger.json('traces', 'list')) as { traces: object[]; more: boolean };
    expect({ count: traces.length, more }).toEqual({ count: 20, more: true });
    expect((await ledger.json('traces', 'list', '-n', '31')).more).toBe(false);
    const failed = await ledger.json('traces', 'list', '-f', 'status:failed');
    expect(failed).toMatchObject({ traces: [{ trace_id: TRACE, errors: 1 }], more: false });
  });

  test('by a score, as the server does', async () => {
    const score = { name: 'helpful', value: false, traceId: 'other-7' };
    const scored = {
      ...init,
      body: JSON.stringify(score),
      headers: { ...init.headers, 'content-type': 'application/json' },
    };
    expect((await app.fetch(new Request('http://ledger/v1/sdk/scores', scored))).status).toBe(201);
    const found = await ledger.json('traces', 'list', '-f', 'score.helpful<0.5');
    expect(found).toMatchObject({ traces: [{ trace_id: 'other-7' }], more: false });
    const events = await ledger.json('events', 'list', '-f', 'score.helpful:true');
    expect(events).toMatchObject({ events: [] });
  });

  test.each([80, 160])('fits %i columns, with ids whose start `traces show` takes', async (columns) => {
    const { stdout } = await ledger.run(['traces', 'list', '-n', '31'], { columns });
    const [start = ''] = /4bf92f35\w*/.exec(stdout) ?? [];
    expect(start).toBe(columns === 80 ? TRACE.slice(0, 8) : TRACE);
    const shown = await ledger.run(['traces', 'show', start]);
    expect([shown.code, shown.stdout]).toEqual([0, (await ledger.run(['traces', 'show', TRACE])).stdout]);
    for (const line of stdout.split('\n')) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('what has no price is not shown as zero', async () => {
    const call = { kind: 'llm', provider: 'acme', model: 'acme-1', input_tokens: 5, session_id: 'unpriced' };
    const priced = { ...call, provider: 'openai', model: 'gpt-4o', input_tokens: 1_000 };
    const body = [
      span(0, null, { ...call, trace_id: 'none' }),
      span(0, null, { ...call, trace_id: 'some' }),
      span(1, null, { ...priced, trace_id: 'some' }),
    ].join('\n');
    expect((await app.fetch(new Request('http://ledger/v1/ingest', { ...init, body }))).status).toBe(202);
    const traces = await ledger.run(['traces', 'list', '-f', 'session:unpriced'], { columns: 160 });
    expect(traces.stdout).toMatch(/ none .* no price /);
    expect(traces.stdout).toMatch(/ some .* ≥ \$0\.0025 /);
    for (const command of [
      ['sessions', 'list'],
      ['report', 'sessions'],
    ])
      expect((await ledger.run(command, { columns: 160 })).stdout).toMatch(/unpriced .* ≥ \$0\.0025/);
  });

  test('CSV, an empty window, and what is refused', async () => {
    const { stdout } = await ledger.run(['traces', 'list', '--csv', '-n', '31']);
    expect(stdout.trimEnd().split('\r\n')).toHaveLength(32);
    expect((await ledger.run(['traces', 'list', '-f', 'user:nobody'])).stdout).toBe(
      'No traces in this window.\n',
    );
    expect((await ledger.run(['traces', 'list', '--csv', '--json'])).code).toBe(2);
    expect((await ledger.run(['traces', 'list', '-f', 'latency>'])).code).toBe(2);
  });
});
