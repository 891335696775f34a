import { expect, test } from 'bun:test';
import { joinFirings } from '../../../src/dashboard/shell/alerts/firing-ranges.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 5, 15, 12, minute)).toISOString();
type Firing = Parameters<typeof joinFirings>[0][number];
const firing = (
  group: string | null,
  from: number,
  to: number | null,
  more: Partial<Firing> = {},
): Firing => ({
  alertId: 'a',
  name: 'Errors',
  measure: 'errorRate',
  group,
  severity: 'warning',
  from: at(from),
  to: to === null ? null : at(to),
  ...more,
});

test('times of one alert that touch or overlap become one, with the worst severity and all groups', () => {
  const joined = joinFirings([
    firing('x', 30, 40),
    firing('x', 0, 10),
    firing('y', 5, 20, { severity: 'critical' }),
    firing('z', 20, 25),
    firing('x', 8, 9),
  ]);
  expect(joined.map(({ from, to, severity, groups }) => ({ from, to, severity, groups }))).toEqual([
    { from: at(0), to: at(25), severity: 'critical', groups: ['x', 'y', 'z'] },
    { from: at(30), to: at(40), severity: 'warning', groups: ['x'] },
  ]);
});

test('one that lasts takes in what comes later; other alerts stay apart', () => {
  const joined = joinFirings([
    firing(null, 0, null),
    firing(null, 5, 10),
    firing(null, 2, 3, { alertId: 'b' }),
  ]);
  expect(joined.map(({ alertId, from, to, groups }) => ({ alertId, from, to, groups }))).toEqual([
    { alertId: 'a', from: at(0), to: null, groups: [] },
    { alertId: 'b', from: at(2), to: at(3), groups: [] },
  ]);
});
