import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { instantOf, isTimeZone, startOfDay, startOfMonthIn, wallClock } from '../../src/lib/time-zone.ts';

const at = (text: string): number => Date.parse(text);
const text = (ms: number): string => new Date(ms).toISOString();

/** Whole and half hours, summer time in both halves of the world, and days that begin at 01:00. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Pacific/Apia',
];
const instants = fc.integer({ min: at('2005-01-01'), max: at('2035-01-01') });

describe('a time zone', () => {
  test.each(['UTC', 'Europe/Berlin', 'america/new_york', 'Etc/GMT+5', 'Asia/Kolkata'])('is %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });
  test.each(['', 'browser', '+05:30', '+0530', 'Europe/Atlantis', 'UTC; DROP', 'x'.repeat(65), '../etc'])(
    'is not "%s"',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

test('a wall clock shows the same as the platform writes, milliseconds included', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), (ms, zone) => {
      const shown = new Date(ms).toLocaleString('sv-SE', { timeZone: zone });
      expect(text(wallClock(ms, zone)).slice(0, 19).replace('T', ' ')).toBe(shown);
      expect(Math.abs(wallClock(ms, zone) - ms) % 1_000).toBe(0);
    }),
  );
});

test('an instant is found again by its wall clock, or the first of two that show the same', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), (ms, zone) => {
      const wall = wallClock(ms, zone);
      const found = instantOf(wall, zone);
      expect(wallClock(found, zone)).toBe(wall);
      expect(found).toBeLessThanOrEqual(ms);
    }),
  );
});

test('a time that summer time skips is as far after the gap; one that occurs twice is the first', () => {
  expect(text(instantOf(at('2026-03-29T02:30:00Z'), 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z');
  expect(text(instantOf(at('2026-10-25T02:30:00Z'), 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
});

test('a day begins where its date begins: nothing earlier has the date', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), (ms, zone) => {
      const start = startOfDay(ms, zone);
      const dateOf = (when: number): string => text(wallClock(when, zone)).slice(0, 10);
      expect(dateOf(start)).toBe(dateOf(ms));
      expect(dateOf(start - 1) < dateOf(start)).toBe(true);
    }),
  );
});

test('days of 23 and 25 hours, and a day that begins at one', () => {
  const length = (day: string, zone: string): number =>
    (startOfDay(at(day), zone, 1) - startOfDay(at(day), zone)) / 3_600_000;
  expect(length('2026-03-29T12:00:00Z', 'Europe/Berlin')).toBe(23);
  expect(length('2026-10-25T12:00:00Z', 'Europe/Berlin')).toBe(25);
  expect(length('2026-10-04T00:00:00Z', 'Australia/Lord_Howe')).toBe(23.5);
  // Summer time of Beirut begins at midnight: the day's first hour does not exist.
  expect(text(startOfDay(at('2026-03-29T12:00:00Z'), 'Asia/Beirut'))).toBe('2026-03-28T22:00:00.000Z');
});

test('a month begins at midnight of its first day, across years', () => {
  const ms = at('2026-11-22T12:00:00Z');
  expect(text(startOfMonthIn(ms, 'America/New_York'))).toBe('2026-11-01T04:00:00.000Z');
  expect(text(startOfMonthIn(ms, 'America/New_York', 1))).toBe('2026-12-01T05:00:00.000Z');
  expect(text(startOfMonthIn(ms, 'Europe/Berlin', -11))).toBe('2025-11-30T23:00:00.000Z');
  // Still November in UTC.
  expect(text(startOfMonthIn(at('2026-11-30T23:30:00Z'), 'Europe/Berlin'))).toBe('2026-11-30T23:00:00.000Z');
});
