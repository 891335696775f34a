import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSlidingWindow, type WindowHit } from '../../src/lib/sliding-window.ts';

const MINUTE = 60_000;

/** The definition as code: keeps all accepted hits of a key and counts them at each hit. */
const createLogOracle = (limit: number, windowMs: number) => {
  const accepted = new Map<string, number[]>();
  return (key: string, now: number): WindowHit => {
    const log = accepted.get(key) ?? [];
    const inWindow = log.filter((time) => time > now - windowMs);
    if (inWindow.length < limit) {
      accepted.set(key, [...log, now]);
      return { ok: true, remaining: limit - inWindow.length - 1 };
    }
    let seconds = 1;
    while (log.filter((time) => time > now + seconds * 1000 - windowMs).length >= limit) seconds++;
    return { ok: false, retryAfterSeconds: seconds };
  };
};

const steps = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    wait: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 4000 }), fc.constant(1000)),
  }),
  { maxLength: 300 },
);

describe('createSlidingWindow', () => {
  test('agrees with the log of all accepted hits', () => {
    const options = fc.record({
      limit: fc.integer({ min: 1, max: 20 }),
      windowMs: fc.constantFrom(1, 999, 1000, 1001, 2500, MINUTE),
    });
    fc.assert(
      fc.property(options, steps, ({ limit, windowMs }, sequence) => {
        const window = createSlidingWindow({ limit, windowMs, maxKeys: 3 });
        const oracle = createLogOracle(limit, windowMs);
        let now = 1_700_000_000_000;
        for (const { key, wait } of sequence) {
          now += wait;
          expect(window.hit(key, now)).toEqual(oracle(key, now));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('agrees with the log while its ring buffer grows', () => {
    const bursts = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 60 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 40 }), bursts, (limit, sequence) => {
        const window = createSlidingWindow({ limit, windowMs: 100, maxKeys: 1 });
        const oracle = createLogOracle(limit, 100);
        let now = 1_700_000_000_000;
        for (const [hits, wait] of sequence) {
          now += wait;
          for (let i = 0; i < hits; i++) expect(window.hit('a', now)).toEqual(oracle('a', now));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a retry after exactly the given seconds succeeds', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (sequence, limit) => {
        const window = createSlidingWindow({ limit, windowMs: 2500, maxKeys: 3 });
        let now = 0;
        for (const { key, wait } of sequence) {
          now += wait;
          const hit = window.hit(key, now);
          if (hit.ok) continue;
          now += hit.retryAfterSeconds * 1000;
          expect(window.hit(key, now).ok).toBe(true);
        }
      }),
    );
  });

  test('accepts exactly the limit out of 5,000 hits at once, and again a window later', () => {
    const window = createSlidingWindow({ limit: 1000, windowMs: MINUTE, maxKeys: 10 });
    const accepted = (now: number): number =>
      Array.from({ length: 5000 }, () => window.hit('key', now)).filter((hit) => hit.ok).length;
    expect(accepted(0)).toBe(1000);
    expect(accepted(MINUTE - 1)).toBe(0);
    expect(accepted(MINUTE)).toBe(1000);
  });

  test('does not count rejected hits', () => {
    const window = createSlidingWindow({ limit: 1, windowMs: 1000, maxKeys: 1 });
    expect(window.hit('a', 0)).toEqual({ ok: true, remaining: 0 });
    for (let now = 1; now < 1000; now++) expect(window.hit('a', now).ok).toBe(false);
    expect(window.hit('a', 1000).ok).toBe(true);
  });

  test('forgets idle keys while others are in use', () => {
    const window = createSlidingWindow({ limit: 5, windowMs: 1000, maxKeys: 1000 });
    for (let i = 0; i < 1000; i++) window.hit(`idle ${i}`, 0);
    expect(window.size()).toBe(1000);
    for (let i = 0; i < 500; i++) window.hit('busy', 1000 + i);
    expect(window.size()).toBe(1);
  });

  test('forgets idle keys that came after one that is still in use', () => {
    const window = createSlidingWindow({ limit: 5, windowMs: 1000, maxKeys: 1000 });
    window.hit('busy', 0);
    for (let i = 0; i < 500; i++) window.hit(`idle ${i}`, 1);
    for (let i = 0; i < 500; i++) window.hit('busy', 500 + i * 10);
    expect(window.size()).toBe(1);
  });

  test('refuses a new key rather than unlock an active one, and says when to retry', () => {
    const window = createSlidingWindow({ limit: 1, windowMs: 10_000, maxKeys: 2 });
    window.hit('a', 0);
    window.hit('b', 2500);
    expect(window.hit('c', 3000)).toEqual({ ok: false, retryAfterSeconds: 7 });
    expect(window.hit('a', 9999).ok).toBe(false);
    expect(window.hit('c', 10_000).ok).toBe(true);
    expect(window.hit('b', 10_001).ok).toBe(false);
    expect(window.size()).toBe(2);
  });

  test('with more keys than maxKeys, still accepts no more than the limit of each', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const window = createSlidingWindow({ limit: 3, windowMs: 1500, maxKeys: 2 });
        const accepted = new Map<string, number[]>();
        let now = 0;
        for (const { key, wait } of sequence) {
          now += wait;
          if (!window.hit(key, now).ok) continue;
          const log = [...(accepted.get(key) ?? []), now];
          accepted.set(key, log);
          expect(log.filter((time) => time > now - 1500).length).toBeLessThanOrEqual(3);
          expect(window.size()).toBeLessThanOrEqual(2);
        }
      }),
    );
  });

  test('a clock that steps back unlocks nothing', () => {
    const window = createSlidingWindow({ limit: 2, windowMs: 1000, maxKeys: 10 });
    expect(window.hit('a', 5000).ok).toBe(true);
    expect(window.hit('a', 4000).ok).toBe(true);
    expect(window.hit('a', 5500)).toEqual({ ok: false, retryAfterSeconds: 1 });
    expect(window.hit('a', 4500)).toEqual({ ok: false, retryAfterSeconds: 2 });
    expect(window.hit('a', 6000).ok).toBe(true);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %p as a limit', (limit) => {
    expect(() => createSlidingWindow({ limit, windowMs: 1000, maxKeys: 1 })).toThrow(
      'limit must be a positive integer',
    );
  });

  test('forgets the key used least recently when it is full, if told so', () => {
    const window = createSlidingWindow({ limit: 1, windowMs: MINUTE, maxKeys: 2, whenFull: 'forget' });
    for (const key of ['a', 'b', 'c']) expect(window.hit(key, 0).ok).toBe(true);
    expect(window.size()).toBe(2);
    expect(window.hit('c', 1).ok).toBe(false);
    expect(window.hit('a', 1).ok).toBe(true);
  });
});
