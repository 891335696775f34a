import { expect, test } from 'bun:test';
import { REACH } from '../../../src/features/alerts/evaluate/round.ts';
import type { Rule } from '../../../src/features/alerts/table.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { makeCalls, makeRule, randomOf, START, toLine, toLines } from './random-rules.ts';
import { type Call, preview, Replay, type Spent, timesOf } from './replay.ts';

/** Days that are replayed minute by minute; `ALERT_DAYS=30` is the long form. */
const DAYS = Number(process.env.ALERT_DAYS ?? 0.3);
const RULES = Number(process.env.ALERT_RULES ?? 8);

test('a call that came while rounds were missed counts, if it was less than an hour late', () => {
  const rule = {
    measure: 'cost',
    filters: {},
    groupBy: null,
    window: '5m',
    condition: { kind: 'threshold', operator: 'gte', critical: 1e-6 },
    minRequests: 0,
    forMinutes: 0,
    noData: 'ok',
    renotifyMinutes: null,
  } as const satisfies Rule;
  const call = (minute: number, costNano: number, late = 0): Call => ({
    ts: (START + minute) * MINUTE_MS,
    arrived: (START + minute + late) * MINUTE_MS,
    model: 'a',
    failed: false,
    costNano,
    latencyMs: 1,
    more: null,
    score: null,
  });
  const calls = [...Array(120).keys()].flatMap((minute) => [
    call(minute, 1),
    ...(minute === 10 ? [call(minute, 1_000, 55)] : []),
  ]);
  const replay = new Replay(rule, calls, START);
  for (let at = START; at <= START + 119; at++) if (at <= START + 60 || at > START + 80) replay.round(at);
  const expected = ['critical from 11 to 16'];
  const shown = (times: readonly Spent[]) =>
    times.map(({ state, from, to }) => `${state} from ${from - START} to ${(to ?? 0) - START}`);
  expect(shown(preview(rule, calls, START, START + 119).times)).toEqual(expected);
  expect(shown(timesOf('', replay.begun.get('') ?? [], START + 119))).toEqual(expected);
});

test('the preview of a rule shows what the running evaluation decided, late events and restarts included', () => {
  let spans = 0;
  let superseded = 0;
  const end = START + Math.round(DAYS * 1_440);
  for (let place = 0; place < RULES; place++) {
    const random = randomOf(TEST_SEED + place);
    const rule = makeRule(random, place);
    // Calls go on after the end, so that the last late ones come while it is still judged.
    const calls = makeCalls(random, end + REACH);
    const replay = new Replay(rule, calls, START);
    for (let at = START; at <= end + REACH; at++) {
      replay.round(at);
      const chance = random.int(0, 199);
      if (chance === 0) replay.restart();
      // Missed minutes are made up.
      if (chance === 1) at += random.int(1, 20);
    }
    const { times, drawn } = preview(rule, calls, START, end);
    const live = [...replay.begun].flatMap(([group, begun]) => timesOf(group, begun, end));
    expect(toLines(times), `seed ${TEST_SEED + place}: ${JSON.stringify(rule)}`).toEqual(toLines(live));
    // The drawing has the same times, the oldest if there are too many.
    const inDrawing = new Set(toLines(drawn.spans));
    expect(toLines(times.filter((time) => inDrawing.has(toLine(time))))).toEqual(toLines(drawn.spans));
    expect(drawn.spans.length + drawn.omittedSpans).toBe(times.length);
    spans += times.length;
    superseded += replay.superseded;
  }
  // It would prove nothing if nothing had happened.
  expect(spans).toBeGreaterThan(0);
  expect(superseded).toBeGreaterThan(0);
});
