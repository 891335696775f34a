import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { besideRange, rangeOf, rangeParams, widerRange } from '../../src/dashboard/shell/scope/time-range.ts';
import { fromField, toField } from '../../src/dashboard/shell/scope/wall-time.ts';
import { PRESETS } from '../../src/lib/ranges/presets.ts';
import { wallClock } from '../../src/lib/time-zone.ts';

const at = (text: string): number => Date.parse(text);
const text = (ms: number): string => new Date(ms).toISOString();
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const zones = fc.constantFrom(...ZONES);
const instants = fc.integer({ min: at('2005-01-01'), max: at('2035-01-01') });

describe('ranges by name', () => {
  const now = at('2026-11-22T02:30:00Z'); // In New York it is still Saturday the 21st.
  const of = (range: string, zone: string) => {
    const { from, to } = rangeOf({ range }, now, zone);
    return [text(from), to === null ? null : text(to)];
  };
  test.each([
    ['30d', 'UTC', '2026-10-23T00:00:00.000Z', null],
    // The days of 30 days ago were on summer time.
    ['30d', 'America/New_York', '2026-10-22T04:00:00.000Z', null],
    ['today', 'America/New_York', '2026-11-21T05:00:00.000Z', null],
    ['yesterday', 'America/New_York', '2026-11-20T05:00:00.000Z', '2026-11-21T04:59:59.999Z'],
    ['24h', 'Asia/Kolkata', '2026-11-21T02:30:00.000Z', null],
    ['wtd', 'UTC', '2026-11-16T00:00:00.000Z', null],
    ['lastWeek', 'UTC', '2026-11-09T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
    ['mtd', 'Europe/Berlin', '2026-10-31T23:00:00.000Z', null],
    ['lastMonth', 'Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'],
  ])('%s in %s', (range, zone, from, to) => {
    expect(of(range, zone)).toEqual([from, to]);
  });

  test('have an order of time and begin with a whole minute of the zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(PRESETS)), instants, zones, (range, moment, zone) => {
        const { from, to } = rangeOf({ range }, moment, zone);
        expect(from).toBeLessThanOrEqual(to ?? moment);
        expect(wallClock(from, zone) % 60_000).toBe(0);
      }),
    );
  });
});

describe('the fields of a range of one’s own', () => {
  test('give the same instants when nothing was edited, whatever the zone and its changes of clock', () => {
    fc.assert(
      fc.property(instants, zones, (ms, zone) => {
        expect(fromField(toField(ms, zone), ms, zone)).toBe(ms);
      }),
    );
  });
  test('mean the wall clock of the zone when they are edited', () => {
    expect(fromField('2026-11-22T09:00', 0, 'America/New_York')).toBe(at('2026-11-22T14:00:00Z'));
    expect(fromField('2026-07-22T09:00', 0, 'Europe/Berlin')).toBe(at('2026-07-22T07:00:00Z'));
  });
  test('are no instant while they are typed', () => {
    expect([fromField('', 0, 'UTC'), fromField('2026-13-01T00:00', 0, 'UTC')]).toEqual([null, null]);
  });
});

describe('steps from a range', () => {
  const now = at('2026-11-22T12:00:00Z');
  const hour = { from: at('2026-11-22T08:00:00Z'), to: at('2026-11-22T08:59:59.999Z'), label: '' };
  const ends = ({ start = '', end = '' }) => [start.slice(11, 19), end.slice(11)];

  test('earlier and later have its length and touch it', () => {
    expect(ends(besideRange(hour, now, -1))).toEqual(['07:00:00', '07:59:59.999Z']);
    expect(ends(besideRange(hour, now, 1))).toEqual(['09:00:00', '09:59:59.999Z']);
  });
  test('zooming out doubles it', () => {
    expect(ends(widerRange(hour, now))).toEqual(['07:30:00', '09:29:59.999Z']);
  });
  test('end now at the latest', () => {
    const open = { ...hour, to: null };
    expect(ends(widerRange(open, now))).toEqual(['06:00:00', '12:00:00.000Z']);
    expect(ends(besideRange({ ...hour, to: now - 60_000 }, now, 1))[1]).toBe('12:00:00.000Z');
  });
});

test('a range that ends now has no end as a parameter, so that each request means its own now', () => {
  expect(rangeParams(rangeOf({}, at('2026-11-22T02:30:00Z')))).toEqual({ start: '2026-10-23T00:00:00.000Z' });
});
