import { describe, expect, test } from 'bun:test';
import { span, utcAndLocal } from '../../cli/moment.ts';
import { parseMoment, parseWindow } from '../../cli/window.ts';

const now = Date.UTC(2026, 10, 21, 12);
const moments: readonly (readonly [text: string, iso: string])[] = [
  ['now', '2026-11-21T12:00:00.000Z'],
  ['30m', '2026-11-21T11:30:00.000Z'],
  ['24h', '2026-11-20T12:00:00.000Z'],
  ['7d', '2026-11-14T00:00:00.000Z'],
  ['2w', '2026-11-07T00:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T01:00:00+02:00', '2026-10-31T23:00:00.000Z'],
];
test.each(moments)('%s', (text, iso) => {
  expect(new Date(parseMoment('--start', text, now)).toISOString()).toBe(iso);
});

test.each(['', 'yesterday', '7', '7y', '2026-02-30', '-1d'])('%j is refused', (text) => {
  expect(() => parseMoment('--start', text, now)).toThrow();
});

test.each([
  ['2026-11-01', '2026-10-31T23:59:59.999Z'],
  ['7d', '2026-11-13T23:59:59.999Z'],
  ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00.000Z'],
  ['24h', '2026-11-20T12:00:00.000Z'],
  ['now', '2026-11-21T12:00:00.000Z'],
])('%s as an end leaves out the day that it begins, not an exact time', (end, iso) => {
  expect(new Date(parseWindow({ start: undefined, end }, now).end ?? 0).toISOString()).toBe(iso);
});

test('missing bounds stay undefined, and the start must be before the end', () => {
  expect(parseWindow({ start: undefined, end: undefined }, now)).toEqual({});
  expect(parseWindow({ start: '1h', end: undefined }, now)).toEqual({ start: now - 3_600_000 });
  expect(() => parseWindow({ start: '1h', end: '2h' }, now)).toThrow();
});

describe('written', () => {
  test('a window of days omits times, a shorter one shows them, and different years are shown', () => {
    expect(span(Date.UTC(2026, 9, 22), now)).toBe('22 Oct – 21 Nov 2026');
    expect(span(Date.UTC(2025, 11, 22), Date.UTC(2026, 0, 21))).toBe('22 Dec 2025 – 21 Jan 2026');
    expect(span(now - 3_600_000, now)).toBe('21 Nov 11:00 – 21 Nov 12:00 UTC');
  });

  test('a time is shown in UTC and in local time', () => {
    expect(utcAndLocal(now)).toMatch(
      /^2026-11-21 12:00 UTC \((2026-11-2\d )?\d\d:\d\d [+-]\d\d:\d\d here\)$/,
    );
  });
});
