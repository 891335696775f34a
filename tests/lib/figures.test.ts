import { expect, test } from 'bun:test';
import { durationText } from '../../src/lib/figures.ts';

test('durations read naturally from parts of a millisecond to weeks', () => {
  const minute = 60_000;
  const cases = [
    [0, '0 ms'],
    [0.01, '<0.1 ms'],
    [840, '840 ms'],
    [1_250, '1.25 s'],
    [26.5 * minute, '26.5 min'],
    [119.4 * minute, '119.4 min'],
    [119.6 * minute, '2 h'],
    [245 * minute, '4 h 5 min'],
    [47 * 60 * minute + 59 * minute, '2 d'],
    [4_011.4 * minute, '2 d 19 h'],
    [30 * 24 * 60 * minute, '30 d'],
  ] as const;
  expect(cases.map(([ms]) => durationText(ms))).toEqual(cases.map(([, text]) => text));
});
