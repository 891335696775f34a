import { expect, test } from 'bun:test';
import type { AlertDraft } from '../../../../src/features/alerts/contract.ts';
import { minutesText, sentenceOf } from '../../../../src/features/alerts/pages/rule-words.ts';
import { STARTER_RULES } from '../../../../src/features/alerts/pages/starter-rules.ts';
import { alertInput } from '../../../../src/features/alerts/rule/contract.ts';

const above = (critical: number, warning?: number) =>
  ({ kind: 'threshold', operator: 'gt', critical, ...(warning !== undefined && { warning }) }) as const;

test.each<[Omit<AlertDraft, 'name'>, string]>([
  [
    { measure: 'errorRate', groupBy: 'model', window: '5m', condition: above(0.05) },
    'Fires when the error rate of any model over 5 minutes is above 5%.',
  ],
  [
    { measure: 'latencyP95', window: '1h', condition: above(2_500, 1_000), forMinutes: 10, minRequests: 20 },
    'Fires when the p95 latency over 1 hour is above 2.50 s for 10 minutes, with at least 20 calls. Warns above 1.00 s.',
  ],
  [
    {
      measure: 'cost',
      groupBy: 'tag:team',
      filters: { environment: 'production', filter: 'model:gpt-*', agent: 'planner' },
      window: '1d',
      condition: { kind: 'change', direction: 'up', percent: 50, compare: 'sameTimeLastWeek' },
    },
    'Fires when the cost of any value of tag team in production with agent planner of calls that match model:gpt-* over 1 day rises by 50% or more against the same time last week.',
  ],
  [
    { measure: 'requests', window: '4h', condition: { kind: 'anomaly', sensitivity: 'high' } },
    'Fires when the number of calls over 4 hours is unusual for the hour of the week (high sensitivity).',
  ],
  [
    { measure: 'cacheRate', window: '7d', condition: { kind: 'threshold', operator: 'lte', critical: 0.2 } },
    'Fires when the cache rate over 7 days is at or below 20%.',
  ],
])('%j', (rule, sentence) => {
  expect(sentenceOf(rule as AlertDraft)).toBe(sentence);
});

test('minutes are written in the largest unit that divides them', () => {
  expect([1, 45, 60, 90, 120, 1_440, 10_080].map(minutesText)).toEqual([
    '1 minute',
    '45 minutes',
    '1 hour',
    '90 minutes',
    '2 hours',
    '1 day',
    '7 days',
  ]);
});

test('the rules that a new project is offered are valid', () => {
  for (const { why: _, ...rule } of STARTER_RULES) expect(alertInput.parse(rule).name).toBe(rule.name);
});
