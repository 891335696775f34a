import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

const DAY_MS = 86_400_000;
const random = createRandom(TEST_SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const hex = (digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

/** A span with its trace, and its session if it has one. */
type Span = {
  readonly trace: string;
  readonly span: string;
  readonly session: string | null;
  readonly at: number;
};
type Value = number | boolean | string;
type Given = { readonly name: string; value: Value } & (
  | { readonly traceId: string; readonly spanId?: string }
  | { readonly sessionId: string }
);

let app: TestApp;
const spans: Span[] = Array.from({ length: 40 }, (_, i) => {
  // Some ids are not those of OpenTelemetry, and are stored otherwise.
  const trace = i % 4 === 0 ? `trace ${i}` : hex(32);
  const session = pick([null, 'chat 1', 'chat 2', 'chat 3']);
  const at = TEST_NOW - Math.floor(random() * 20 * DAY_MS);
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (_, n) => ({
    trace,
    span: i % 3 === 0 ? `span ${n}` : hex(16),
    session,
    at: at + n,
  }));
}).flat();
const NAMES = {
  grade: () => Math.floor(random() * 20 - 10) / 4,
  helpful: () => random() < 0.5,
  'tone of voice': () => pick(['kind', 'cold', '5']),
} as const;
const scores: Given[] = Array.from({ length: 60 }, () => {
  const name = pick(Object.keys(NAMES) as (keyof typeof NAMES)[]);
  const value = NAMES[name]();
  const { trace, span } = pick(spans);
  const kind = random();
  if (kind < 0.15) return { name, value, sessionId: pick(['chat 1', 'chat 2', 'nowhere']) };
  return kind < 0.5 ? { name, value, traceId: trace } : { name, value, traceId: trace, spanId: span };
});

beforeAll(async () => {
  app = await openTestApp({ rateLimits: false });
  const events = spans.map(({ trace, span, session, at }) => ({
    trace_id: trace,
    span_id: span,
    ...(session !== null && { session_id: session }),
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 10,
    timestamp: new Date(at).toISOString(),
  }));
  const half = events.length / 2;
  const send = async (from: number, to: number): Promise<void> => {
    const sent = await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events: events.slice(from, to) });
    expect(sent.status).toBe(202);
  };
  await send(0, half);
  await app.ctx.use(sealerService).sealAll(1);
  await send(half, events.length);
  const path = `/v1/scores?projectId=${app.seed.projectId}`;
  expect((await app.fetch(path, { bearer: app.seed.bearer, json: scores })).status).toBe(201);
});
afterAll(() => app.close());

async function get<T>(path: string, query: Readonly<Record<string, string>>): Promise<T> {
  const { seed, fetch } = app;
  const params = new URLSearchParams({ projectId: seed.projectId, ...query });
  const response = await fetch(`/v1/${path}?${params}`, { bearer: seed.bearer });
  return (await response.json()) as T;
}
const placeOf = ({ trace, span }: Span): string => `${trace}/${span}`;
async function eventsOf(filter: string, query: Readonly<Record<string, string>> = {}): Promise<string[]> {
  type Page = { events: { trace_id: string; span_id: string }[]; nextCursor: string | null; total: number };
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await get('events', { filter, limit: '20', ...query, ...(cursor && { cursor }) });
    found.push(...page.events.map(({ trace_id, span_id }) => `${trace_id}/${span_id}`));
    cursor = page.nextCursor;
    if (cursor === null) expect([filter, page.total]).toEqual([filter, found.length]);
  }
  return found.sort();
}

/** The spans to which a score with such a value belongs. */
const expected = (name: string, fits: (value: Value) => boolean): Span[] =>
  spans.filter(({ trace, span, session }) =>
    scores.some(
      (score) =>
        score.name === name &&
        fits(score.value) &&
        ('sessionId' in score
          ? score.sessionId === session
          : score.traceId === trace && (score.spanId === undefined || score.spanId === span)),
    ),
  );

const CASES: [string, string, (value: Value) => boolean][] = [
  ['score.grade<0.5', 'grade', (value) => Number(value) < 0.5],
  ['score.grade>=-1', 'grade', (value) => Number(value) >= -1],
  ['score.grade<-1.25', 'grade', (value) => Number(value) < -1.25],
  ['score.grade:-1..1', 'grade', (value) => Number(value) >= -1 && Number(value) <= 1],
  ['score.grade:0,0.25', 'grade', (value) => value === 0 || value === 0.25],
  ['score.helpful:true', 'helpful', (value) => value === true],
  ['score.helpful=false', 'helpful', (value) => value === false],
  ['score.helpful<1', 'helpful', (value) => value === false],
  ['score.helpful:*', 'helpful', () => true],
  ['score."tone of voice":cold,5', 'tone of voice', (value) => value === 'cold' || value === '5'],
  ['score."tone of voice":k*', 'tone of voice', (value) => value === 'kind'],
  ['score.nothing:*', 'nothing', () => true],
];

test.each(CASES)(
  '%s: events, traces, sessions and figures are those of a recount',
  async (filter, name, fits) => {
    const own = expected(name, fits);
    const seed = [TEST_SEED, filter];
    expect([seed, await eventsOf(filter)]).toEqual([seed, own.map(placeOf).sort()]);
    const others = spans.filter((span) => !own.includes(span));
    expect([seed, await eventsOf(`-${filter}`)]).toEqual([seed, others.map(placeOf).sort()]);
    const { traces } = await get<{ traces: { trace_id: string }[] }>('traces', { filter, limit: '100' });
    const wanted = [...new Set(own.map(({ trace }) => trace))].sort();
    expect([seed, traces.map(({ trace_id }) => trace_id).sort()]).toEqual([seed, wanted]);
    const { sessions } = await get<{ sessions: { session_id: string }[] }>('sessions', { filter });
    const chats = [...new Set(own.flatMap(({ session }) => session ?? []))].sort();
    expect([seed, sessions.map(({ session_id }) => session_id).sort()]).toEqual([seed, chats]);
    const body = {
      measures: ['requests'],
      filter,
      start: new Date(TEST_NOW - 30 * DAY_MS).toISOString(),
      end: new Date(TEST_NOW + DAY_MS).toISOString(),
    };
    const path = `/v1/metrics/query?projectId=${app.seed.projectId}`;
    const reply = await app.fetch(path, { bearer: app.seed.bearer, json: body });
    expect([seed, await reply.json()]).toMatchObject([seed, { total: { values: { requests: own.length } } }]);
  },
);

test('two conditions must both hold, and a window reads the scores around it', async () => {
  const low = new Set(expected('grade', (value) => Number(value) < 0).map(placeOf));
  const both = expected('helpful', () => true)
    .map(placeOf)
    .filter((place) => low.has(place));
  expect(await eventsOf('score.grade<0 score.helpful:*')).toEqual(both.sort());
  const start = TEST_NOW - 5 * DAY_MS;
  const recent = expected('grade', () => true).filter(({ at }) => at >= start);
  expect(await eventsOf('score.grade:*', { start: new Date(start).toISOString() })).toEqual(
    recent.map(placeOf).sort(),
  );
});

test('a changed score filters anew; where scores cannot filter, the error says so', async () => {
  const filter = 'score.fresh:true';
  const [first, second] = [spans[0] as Span, spans[5] as Span];
  const give = (of: Span, value: boolean): Promise<Response> =>
    app.fetch(`/v1/scores?projectId=${app.seed.projectId}`, {
      bearer: app.seed.bearer,
      json: {
        name: 'fresh',
        value,
        traceId: of.trace,
        spanId: of.span,
        scoreId: of.trace.replaceAll(' ', '-'),
      },
    });
  await give(first, true);
  await give(second, false);
  expect(await eventsOf(filter)).toEqual([placeOf(first)]);
  await give(first, false);
  await give(second, true);
  expect(await eventsOf(filter)).toEqual([placeOf(second)]);
  const errors = [
    ['score:fresh', 'name the score, such as score.helpful:true or score.helpful<0.5'],
    ['score.fresh<yes', 'score.fresh: "yes" is not a number; write score.fresh<0.5 or score.fresh:0.2..0.5'],
    ['score.fresh:2..1', 'score.fresh: "2..1" is no range; the smaller number comes first'],
  ] as const;
  for (const [given, error] of errors)
    expect(await get<{ error: string }>('events', { filter: given })).toEqual({ error: `filter: ${error}` });
});
