import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { eventsOf, genAi, type SpanSpec, spanId, tokens } from './otlp.ts';
import { describeCall, listEvents, post, readRecording, spansOf } from './replay.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const GPT = 'openai/gpt-4o success 1200/1024/0 48/16';
const PLAIN = 'openai/gpt-4o success 1200/0/0 48/0 stop';
const CLAUDE = 'anthropic/claude-sonnet-4-5 success 2464/2048/256 77/0 end_turn stream';

/** What programs made whose framework and provider's client were both instrumented, with a span around all. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  openinference: [CLAUDE, CLAUDE, `${GPT} stop`, `${GPT} stop`, `${GPT} -`],
  // Its guess of a stream's tokens is not what counts, but of the Responses API only it has tokens.
  traceloop: [PLAIN, PLAIN, PLAIN, PLAIN, PLAIN],
};

test.each(Object.keys(COUNTED))('%s: a call that two instrumentations report counts once', async (client) => {
  const tenant = await app.addTenant();
  const requests = readRecording(`two-layers/${client}`);
  await post(app, tenant, requests);
  const events = await listEvents(app, tenant);
  expect(events.length).toBe(spansOf(requests).length);
  expect(
    events
      .filter(({ counted }) => counted)
      .map(describeCall)
      .sort(),
  ).toEqual([...(COUNTED[client] ?? [])].sort());
});

const LANGCHAIN = { name: '@traceloop/instrumentation-langchain' };
const OPENAI = { name: '@opentelemetry/instrumentation-openai' };
const call = (id: string, start: number, end: number, rest: SpanSpec = {}): SpanSpec => ({
  id,
  parent: 'a',
  start,
  end,
  scope: OPENAI,
  attributes: genAi('openai', 'gpt-4o', tokens(12, 3)),
  ...rest,
});
const parentsOf = (...specs: SpanSpec[]): (string | null)[] =>
  eventsOf(...specs).map(({ parent_span_id }) => parent_span_id);

test('the call of a framework gets the attempts that failed and one answer', () => {
  const failed = { code: 2, message: '500 The server had an error' } as const;
  expect(
    parentsOf(
      call('1', 0, 100, { scope: LANGCHAIN }),
      call('2', 1, 20, failed),
      call('3', 30, 99),
      call('4', 40, 90),
    ),
  ).toEqual([spanId('a'), spanId('1'), spanId('1'), spanId('a')]);
});

test('calls of another model, another trace or another time stay where they are', () => {
  const mini = genAi('openai', 'o4-mini', tokens(12, 3));
  expect(
    parentsOf(
      call('1', 0, 100, { scope: LANGCHAIN }),
      call('2', 1, 99, { attributes: mini }),
      call('3', 1, 99, { trace: '0123456789abcdef0123456789abcdef' }),
      call('4', 50, 120),
      call('5', 200, 250),
    ),
  ).toEqual(Array.from({ length: 5 }, () => spanId('a')));
});
