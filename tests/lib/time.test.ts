import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  floorToDay,
  floorToHour,
  formatInstant,
  monthKey,
  parseInstant,
  startOfNextMonth,
} from '../../src/lib/time.ts';

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const anyInstant = fc.integer({ min: FIRST, max: LAST });

describe('parseInstant', () => {
  const noon = Date.UTC(2026, 0, 31, 12);
  test.each([
    ['2026-01-31T12:00:00.000Z', noon],
    ['2026-01-31T12:00:00Z', noon],
    ['2026-01-31t12:00:00z', noon],
    ['2026-01-31 12:00:00Z', noon],
    ['2026-01-31T12:00:00', noon],
    ['2026-01-31T12:00:00.5', noon + 500],
    ['2026-01-31T12:00:00.05Z', noon + 50],
    ['2026-01-31T12:00:00.9999999999Z', noon + 999],
    ['2026-01-31T12:00:00.123456789+00:00', noon + 123],
    ['2026-01-31T13:00:00+01:00', noon],
    ['2026-01-31T06:30:00-05:30', noon],
    ['2026-01-31T12:00:00-00:00', noon],
    ['2026-02-01T11:59:00+23:59', noon],
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['1969-12-31T23:59:59.9999Z', -1],
    ['1970-01-01T00:00:00Z', 0],
    ['0000-01-01', FIRST],
    ['9999-12-31T23:59:59.999Z', LAST],
  ])('reads %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-01',
    '2026-1-1',
    '20260131',
    '20260131T120000Z',
    '2026-W05-6',
    '2026-031',
    '2026-00-10',
    '2026-13-10',
    '2026-01-00',
    '2026-01-32',
    '2026-04-31',
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-01-31T',
    '2026-01-31Z',
    '2026-01-31T12Z',
    '2026-01-31T12:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00,5Z',
    '2026-01-31T12:00:00ZZ',
    '2026-01-31T12:00:00 Z',
    '2026-01-31T12:00:00+1:00',
    '2026-01-31T12:00:00+01',
    '2026-01-31T12:00:00+0100',
    '2026-01-31T12:00:00+01:60',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+01:00x',
    '2026-01-31T12-00-00Z',
    '2026/01/31T12:00:00Z',
    '2026-01-31X12:00:00Z',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z ',
    '+002026-01-31T12:00:00Z',
    '-2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.000Z\0',
    '٢٠٢٦-01-31T12:00:00Z',
    'Sat, 31 Jan 2026 12:00:00 GMT',
    '1769860800000',
  ])('refuses %p', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test('parses every instant that formatInstant writes', () => {
    fc.assert(fc.property(anyInstant, (ms) => parseInstant(formatInstant(ms)) === ms));
  });

  test('accepts exactly the dates that exist', () => {
    const part = (min: number, max: number) => fc.integer({ min, max });
    fc.assert(
      fc.property(part(0, 9999), part(0, 13), part(0, 32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const date = new Date(Date.UTC(2000, month - 1, day));
        date.setUTCFullYear(year, month - 1, day);
        const exists = date.toISOString().slice(0, 10) === text;
        expect(parseInstant(text)).toBe(exists ? date.getTime() : null);
      }),
      { numRuns: 2000 },
    );
  });

  test('moves an offset to UTC', () => {
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: -1439, max: 1439 }), (ms, east) => {
        const local = ms + east * 60_000;
        fc.pre(local >= FIRST && local <= LAST);
        const minutes = Math.abs(east);
        const hhmm = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        const text = formatInstant(local).replace('Z', `${east < 0 ? '-' : '+'}${hhmm}`);
        expect(parseInstant(text)).toBe(ms);
      }),
    );
  });

  test('accepts any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const ms = parseInstant(text);
        expect(ms === null || Number.isInteger(ms)).toBe(true);
      }),
    );
  });
});

describe('hours, days and months', () => {
  test('floor to the hour and the day, before 1970 too', () => {
    expect(floorToHour(Date.UTC(2026, 0, 31, 12, 59, 59, 999))).toBe(Date.UTC(2026, 0, 31, 12));
    expect(floorToDay(Date.UTC(2026, 0, 31, 23, 59, 59, 999))).toBe(Date.UTC(2026, 0, 31));
    expect(floorToDay(Date.UTC(2026, 0, 31))).toBe(Date.UTC(2026, 0, 31));
    expect(floorToHour(-1)).toBe(-3_600_000);
    expect(floorToDay(-1)).toBe(-86_400_000);
  });

  test.each([
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-01'],
    ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-02'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '2026-12'],
    ['2024-02-29T12:00:00.000Z', '2024-03-01T00:00:00.000Z', '2024-02'],
  ])('%s is before %s in the month %s', (instant, next, key) => {
    const ms = Date.parse(instant);
    expect(formatInstant(startOfNextMonth(ms))).toBe(next);
    expect(monthKey(ms)).toBe(key);
  });

  test('the millisecond before the next month still has the month of the instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) }), (ms) => {
        const next = startOfNextMonth(ms);
        expect(next).toBeGreaterThan(ms);
        expect(monthKey(next - 1)).toBe(monthKey(ms));
        expect(monthKey(next)).not.toBe(monthKey(ms));
      }),
    );
  });
});
