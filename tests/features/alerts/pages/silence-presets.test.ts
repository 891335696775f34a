import { expect, test } from 'bun:test';
import { SILENCE_PRESETS } from '../../../../src/features/alerts/pages/silence-presets.ts';

const monday = SILENCE_PRESETS.find(({ label }) => label.startsWith('Until Monday'));

test.each([
  ['a Wednesday', new Date(2026, 10, 18, 15, 30), new Date(2026, 10, 23, 8)],
  ['a Sunday', new Date(2026, 10, 22, 23, 59), new Date(2026, 10, 23, 8)],
  ['a Monday before eight', new Date(2026, 10, 23, 7, 59), new Date(2026, 10, 23, 8)],
  ['a Monday at eight', new Date(2026, 10, 23, 8), new Date(2026, 10, 30, 8)],
])('until Monday, asked on %s', (_name, now, end) => {
  expect(monday?.until(now.getTime())).toBe(end.getTime());
});
