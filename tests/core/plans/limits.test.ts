import { expect, test } from 'bun:test';
import { limitsOf, PLANS } from '../../../src/core/plans/index.ts';

test('the plans allow what the decisions say', () => {
  expect(PLANS).toEqual({
    free: { retentionDays: 7, monthlyEvents: 100_000, auditCsv: false },
    pro: { retentionDays: 30, monthlyEvents: 5_000_000, auditCsv: false },
    scale: { retentionDays: 365, monthlyEvents: 100_000_000, auditCsv: true },
  });
});

test('an override of the operator takes the place of the limit of the plan, zero too', () => {
  expect(limitsOf({ plan: 'pro', monthlyEvents: null, retentionDays: null })).toEqual({
    retentionDays: 30,
    monthlyEvents: 5_000_000,
  });
  expect(limitsOf({ plan: 'pro', monthlyEvents: 0, retentionDays: 90 })).toEqual({
    retentionDays: 90,
    monthlyEvents: 0,
  });
});
