import { describe, expect, test } from 'bun:test';
import type { EventInput } from '../../../src/core/events/input/contract.ts';
import { generateDemo } from '../../../src/features/demo/generate.ts';
import { DAY_MS, DEMO_STORY, dayMoment, dayWindow } from '../../../src/features/demo/story.ts';

const story = DEMO_STORY;

/** A Friday afternoon, and a Sunday morning, when the afternoon of timeouts falls on a Sunday too. */
describe.each([
  ['2026-11-20T15:20:00Z', 1],
  ['2026-11-22T09:00:00Z', 2],
])('the demo month that ends at %s, seed %p', (iso, seed) => {
  const now = Date.parse(iso);
  const month = [...generateDemo({ now, seed })].flat();
  const calls = month.filter((event) => event.kind === 'llm' || event.kind === 'embedding');
  const between = (start: number, end: number): EventInput[] =>
    calls.filter((event) => at(event) >= start && at(event) < end);

  test('has a busy model that no catalogue knows', () => {
    const unpriced = calls.filter((event) => event.model === story.unpricedModel.model);
    expect(unpriced.length).toBeGreaterThan(300);
    expect(unpriced.every((event) => event.provider === story.unpricedModel.provider)).toBe(true);
  });

  test('has one afternoon on which one provider times out', () => {
    const { start, end } = dayWindow(now, story.timeouts);
    const timeouts = calls.filter((event) => event.status === 'timeout');
    const planted = between(start, end).filter(({ provider }) => provider === story.timeouts.provider);
    expect(share(planted, ({ status }) => status === 'timeout')).toBeGreaterThan(0.35);
    expect(planted.filter(({ status }) => status === 'timeout').length).toBeGreaterThanOrEqual(15);
    expect(share(calls, ({ status }) => status === 'timeout')).toBeLessThan(0.02);
    expect(timeouts.every((event) => event.error_code === story.timeouts.errorCode)).toBe(true);
    expect(timeouts.every((event) => (event.latency_ms ?? 0) > 29_000)).toBe(true);
  });

  test.each([...story.rateLimits.daysAgo])('is rate limited on the afternoon %p days ago', (daysAgo) => {
    const { start, end } = dayWindow(now, { ...story.rateLimits, daysAgo });
    const planted = between(start, end).filter(({ provider }) => provider === story.rateLimits.provider);
    const limited = planted.filter(({ status }) => status === 'rate_limited');
    expect(limited.length).toBeGreaterThanOrEqual(15);
    expect(limited.length / planted.length).toBeGreaterThan(0.2);
    expect(limited.every((event) => event.error_code === story.rateLimits.errorCode)).toBe(true);
  });

  test('is hardly rate limited at other times', () => {
    const windows = story.rateLimits.daysAgo.map((daysAgo) =>
      dayWindow(now, { ...story.rateLimits, daysAgo }),
    );
    const others = calls.filter(
      (event) => !windows.some(({ start, end }) => at(event) >= start && at(event) < end),
    );
    expect(share(others, ({ status }) => status === 'rate_limited')).toBeLessThan(0.015);
  });

  test('fails a little all the time, with several error codes, and has cancelled streams', () => {
    const codes = new Set(month.map((event) => event.error_code));
    for (const code of ['context_length_exceeded', 'server_error', 'content_filter', 'invalid_api_key']) {
      expect(codes).toContain(code);
    }
    expect(share(calls, ({ status }) => status === 'error')).toBeLessThan(0.03);
    const cancelled = calls.filter(({ status }) => status === 'cancelled');
    expect(cancelled.length).toBeGreaterThan(10);
    expect(cancelled.every(({ stream }) => stream)).toBe(true);
  });

  test('reads nothing from caches before the release, and more from week to week after it', () => {
    const since = dayMoment(now, story.promptCaching);
    const weeks = [0, 1, 2].map((week) =>
      between(since + week * 7 * DAY_MS, since + (week + 1) * 7 * DAY_MS),
    );
    const [first = 0, second = 0, third = 0] = weeks.map(cacheRate);
    expect(cacheRate(between(0, since))).toBe(0);
    expect(first).toBeGreaterThan(0.05);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    const writers = new Set(
      calls.filter((event) => event.cache_write_tokens).map(({ provider }) => provider),
    );
    expect([...writers]).toEqual(['anthropic']);
  });

  test('moves ticket triage to the cheaper model with its release', () => {
    const since = dayMoment(now, story.triageMove);
    const triage = (events: EventInput[]): Set<unknown> =>
      new Set(
        events
          .filter((event) => event.prompt_name === 'ticket-triage' && event.environment === 'production')
          .map((event) => event.model),
      );
    expect(triage(between(0, since))).toContain(story.triageMove.from);
    expect(triage(between(0, since))).not.toContain(story.triageMove.to);
    expect(triage(between(since, now))).toContain(story.triageMove.to);
    expect(triage(between(since, now))).not.toContain(story.triageMove.from);
  });

  test('writes longer answers with the new version of the prompt', () => {
    const { prompt, fromVersion, toVersion, outputFactor } = story.promptChange;
    const tokens = (version: string): number =>
      median(
        calls
          .filter((event) => event.prompt_name === prompt && event.prompt_version === version)
          .filter(({ status }) => status === 'success')
          .map((event) => event.output_tokens ?? 0),
      );
    expect(tokens(toVersion) / tokens(fromVersion)).toBeGreaterThan(outputFactor - 0.25);
    expect(tokens(toVersion) / tokens(fromVersion)).toBeLessThan(outputFactor + 0.25);
  });

  test('has one model that has become slower in the last days, with the same prompt', () => {
    const latency = (start: number, end: number): number =>
      median(
        between(start, end)
          .filter((event) => event.model === story.slowdown.model && event.status === 'success')
          .map((event) => event.latency_ms ?? 0),
      );
    const since = dayMoment(now, story.slowdown);
    const before = latency(dayMoment(now, story.promptChange), since);
    expect(latency(now - 2 * DAY_MS, now) / before).toBeGreaterThan(1.3);
  });

  test('runs each release, newest last, in every environment', () => {
    expect(new Set(month.map(({ environment }) => environment))).toEqual(new Set(story.environments));
    const production = month.filter(({ environment }) => environment === 'production');
    const versions = [...new Set(production.map(({ release }) => release))];
    expect(versions).toEqual(story.releases.map(({ version }) => version));
  });

  test('is busier by day than at night, on working days, and at the end of the month', () => {
    const hour = (event: EventInput): number => new Date(at(event)).getUTCHours();
    const night = calls.filter((event) => hour(event) >= 3 && hour(event) < 6).length;
    const morning = calls.filter((event) => hour(event) >= 9 && hour(event) < 12).length;
    expect(morning).toBeGreaterThan(5 * night);
    const weekend = share(calls, (event) => [0, 6].includes(new Date(at(event)).getUTCDay()));
    expect(weekend).toBeLessThan(0.2);
    const [first, last] = [between(now - 29 * DAY_MS, now - 22 * DAY_MS), between(now - 7 * DAY_MS, now)];
    expect(last.length).toBeGreaterThan(1.3 * first.length);
  });

  test('has a dozen users, of whom the first makes about a third of the traffic', () => {
    const counts = new Map<unknown, number>();
    for (const { user_id: user } of calls) if (user) counts.set(user, (counts.get(user) ?? 0) + 1);
    const sorted = [...counts.values()].sort((a, b) => b - a);
    const total = sorted.reduce((sum, count) => sum + count, 0);
    expect(sorted.length).toBeGreaterThanOrEqual(12);
    expect((sorted[0] ?? 0) / total).toBeGreaterThan(0.2);
    expect((sorted.at(-1) ?? 0) / total).toBeLessThan(0.05);
  });

  test('has every kind of span, nested agents, conversations, reasoning and streams', () => {
    const kinds = new Set(month.map(({ kind }) => kind));
    for (const kind of ['llm', 'embedding', 'tool', 'agent', 'chain', 'retrieval', 'guardrail']) {
      expect([...kinds].map(String)).toContain(kind);
    }
    const agents = new Set(month.filter(({ kind }) => kind === 'agent').map(({ span_id }) => span_id));
    expect(month.some(({ kind, parent_span_id: parent }) => kind === 'agent' && agents.has(parent))).toBe(
      true,
    );

    const sessions = new Map<unknown, Set<unknown>>();
    for (const { session_id: session, trace_id: trace } of month) {
      if (session) sessions.set(session, (sessions.get(session) ?? new Set()).add(trace));
    }
    expect([...sessions.values()].filter((traces) => traces.size > 1).length).toBeGreaterThan(50);

    const o4 = calls.filter(({ model, status }) => model === 'o4-mini' && status === 'success');
    expect(o4.length).toBeGreaterThan(20);
    expect(o4.every((event) => (event.reasoning_tokens ?? 0) > 0)).toBe(true);
    expect(calls.filter((event) => event.stream && event.ttft_ms).length).toBeGreaterThan(1000);
  });
});

function at(event: EventInput): number {
  return Date.parse(event.timestamp ?? '');
}

function share(events: EventInput[], has: (event: EventInput) => boolean): number {
  return events.filter(has).length / events.length;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function cacheRate(events: EventInput[]): number {
  const sum = (key: 'cached_input_tokens' | 'input_tokens'): number =>
    events.reduce((total, event) => total + (event[key] ?? 0), 0);
  return sum('cached_input_tokens') / sum('input_tokens');
}
