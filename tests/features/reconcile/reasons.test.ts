import { describe, expect, test } from 'bun:test';
import { explainDayBoundaries } from '../../../src/features/reconcile/compare/day-boundary.ts';
import type { OutLine } from '../../../src/features/reconcile/compare/lines.ts';
import {
  type Books,
  differs,
  reasonsOf,
  type Side,
} from '../../../src/features/reconcile/compare/reasons.ts';

const counted = { calls: 10, fresh: 1000, cacheRead: 0, cacheWrite: 0, output: 100, usd: 5 };
const side = (of: Partial<Side> = {}): Side => ({ ...counted, listUsd: null, slack: 0, ...of });
const books = (of: Partial<Books> = {}): Books => ({
  ...counted,
  listUsd: null,
  slack: 0,
  unpriced: 0,
  ...of,
});
const codes = (invoice: Side | null, own: Books | null): string[] =>
  reasonsOf(invoice, own, []).map(({ code }) => code);
const untold = { calls: null, fresh: null, cacheRead: null, cacheWrite: null, output: null };

describe('a reason follows from the figures', () => {
  test('equal sides need none', () => {
    expect(codes(side(), books())).toEqual([]);
    expect(differs(side(), books())).toBe(false);
  });

  test('calls are there several times only if every count says so', () => {
    const twice = { calls: 20, fresh: 2000, output: 200, usd: 10 };
    expect(reasonsOf(side(), books(twice), [])).toEqual([
      { code: 'duplicates', text: 'every call is in the ledger 2 times' },
    ]);
    // Twice the calls with other tokens are other calls.
    expect(codes(side(), books({ ...twice, output: 150 }))).toEqual(['more_events']);
    expect(codes(side(), books({ calls: 13 }))).toEqual(['more_events']);
    // A ledger with fewer tokens does not have more than was billed.
    expect(codes(side(), books({ calls: 13, fresh: 500, output: 50 }))).toEqual(['missing_events']);
    expect(codes(side({ calls: null }), books({ ...twice, calls: 20 }))).toEqual(['duplicates']);
  });

  test('a cheaper ledger is never explained by calls that are there twice', () => {
    expect(codes(side({ usd: 10 }), books({ calls: 20, fresh: 1500, output: 150 }))).toEqual(['more_events']);
    expect(codes(side({ ...untold, usd: 10 }), books({ usd: 5 }))).toEqual([]);
  });

  test('without calls, events are missing only if input and output both say so', () => {
    const tokens = side({ calls: null });
    expect(reasonsOf(tokens, books({ fresh: 500, output: 50 }), [])).toEqual([
      { code: 'missing_events', text: '50.0 % of the tokens billed are not in the ledger' },
    ]);
    expect(codes(tokens, books({ output: 50 }))).toEqual(['tokens']);
    expect(codes(tokens, books({ fresh: 500 }))).toEqual(['tokens']);
  });

  test('money alone explains nothing, unless the export states a discount', () => {
    const money = side({ ...untold, usd: 4.5 });
    expect(codes(money, books())).toEqual([]);
    expect(differs(money, books())).toBe(true);
    expect(reasonsOf({ ...money, listUsd: 5 }, books(), [])).toEqual([
      {
        code: 'discount',
        text: 'billed below the provider’s list price, which the ledger has (-10.0 %): set the agreed price',
      },
    ]);
    // Rounding of many rows to cents.
    expect(differs({ ...money, usd: 4.9, slack: 0.1 }, books())).toBe(false);
  });

  test('a missing price explains a cheaper ledger, not a dearer one', () => {
    expect(codes(side({ usd: 6 }), books({ unpriced: 2 }))).toEqual(['unpriced_model']);
    expect(codes(side({ usd: 4 }), books({ unpriced: 2 }))).toEqual(['rates']);
  });
});

describe('days that are cut at another hour', () => {
  const line = (day: string, billed: number, known: number): OutLine => {
    const figures = (calls: number) => ({
      ...{ calls, inputTokens: calls * 100, cachedTokens: 0, outputTokens: calls * 10, usd: calls / 100 },
    });
    return {
      ...{ day, provider: 'openai', model: 'gpt-4o', stored: null, driftTokens: 0 },
      ...{ invoice: figures(billed), books: { ...figures(known), unpriced: 0 } },
      driftUsd: (known - billed) / 100,
      differs: billed !== known,
      reasons: billed === known ? [] : [{ code: 'missing_events' as const, text: 'guess' }],
    };
  };
  const reasons = (lines: readonly OutLine[]): string[][] =>
    explainDayBoundaries(lines).map((one) => one.reasons.map(({ code }) => code));

  test('are told by their sum, which agrees', () => {
    const days = [line('2026-10-01', 100, 90), line('2026-10-02', 50, 50), line('2026-10-03', 40, 50)];
    expect(reasons(days)).toEqual([['day_boundary'], [], ['day_boundary']]);
  });

  test('are not told where the sum differs too', () => {
    expect(reasons([line('2026-10-01', 100, 90), line('2026-10-02', 50, 55)])).toEqual([
      ['missing_events'],
      ['missing_events'],
    ]);
  });
});
